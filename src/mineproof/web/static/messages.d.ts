// Written by `python -m tools.message_types` from the types in mineproof/messages.

/** Return the version, methods, fields, agents, clue models and levels. */
export interface Hello {}

/** Start a game that the client referees. */
export interface New {
  /** the size of the board and its mines */
  deal: Size;
  /** the rules that differ from the defaults */
  rules?: SomeRules;
  /** the clue model (default: exact) */
  clues?: string;
  /** the agent, as on the command line */
  agent?: string;
  /** the random seed of guesses (default: 0) */
  seed?: number | string;
}

/** A level, or a size with a mine count or a density. */
export interface Size {
  /** in place of a size */
  level?: "beginner" | "expert" | "intermediate";
  /** the number of rows */
  rows?: number;
  /** the number of columns */
  cols?: number;
  /** the number of mines */
  mines?: number;
  /** the fraction of cells that are mines */
  density?: number;
  /** each cell is a mine independently, with probability `density` */
  independent?: boolean;
}

/** The rules that differ from the defaults. */
export interface SomeRules {
  /** whether hitting a mine ends the game */
  on_mine?: "continue" | "end";
  /** what is guaranteed about the first cell */
  opening?: "any" | "clear" | "safe";
  /** whether the player knows the mine count */
  count_known?: boolean;
  /** the mine density that the player knows instead of the count */
  density?: number;
  /** whether opening a 0 opens its neighbours */
  flood?: boolean;
}

/** Set the position for the following requests. */
export interface SetPosition {
  /** the position, in any form that `analyse` reads */
  view?: string;
  /** the clue model (default: exact) */
  clues?: string;
  /** the mine density, if the mine count is unknown */
  density?: number;
  /** the rules that differ from the defaults */
  rules?: SomeRules;
  /** the agent, as on the command line */
  agent?: string;
  /** the random seed of guesses (default: 0) */
  seed?: number | string;
  /** what changed since the last position */
  events?: Change[];
}

/** A change of a cell: [row, col, state], with a state as in a view; a bound may follow. */
export type Change = [number, number, string, (number | null)?];

/** Return the move of an agent. */
export interface Go {
  /** the position, in any form that `analyse` reads */
  view?: string;
  /** the clue model (default: exact) */
  clues?: string;
  /** the mine density, if the mine count is unknown */
  density?: number;
  /** the rules that differ from the defaults */
  rules?: SomeRules;
  /** the agent, as on the command line */
  agent?: string;
  /** the random seed of guesses (default: 0) */
  seed?: number | string;
  /** the champion's budget per move */
  budget?: "default" | "fast" | "max";
  /** return the agent's next move, even if it is a flag */
  step?: boolean;
  /** use the position of this game */
  game?: string;
  /** the state after this many moves (default: now) */
  at?: number;
}

/** Return mine probabilities, certain cells and best moves. */
export interface Odds {
  /** the position, in any form that `analyse` reads */
  view?: string;
  /** the clue model (default: exact) */
  clues?: string;
  /** the mine density, if the mine count is unknown */
  density?: number;
  /** the rules that differ from the defaults */
  rules?: SomeRules;
  /** the agent, as on the command line */
  agent?: string;
  /** how many best moves to return (default: 5) */
  best?: number;
  /** also return the probability that each cell shows 0 */
  zeros?: boolean;
  /** also return the win probability */
  win?: boolean;
  /** use the position of this game */
  game?: string;
  /** the state after this many moves (default: now) */
  at?: number;
}

/** Return the certain cells, with proofs. */
export interface Explain {
  /** the position, in any form that `analyse` reads */
  view?: string;
  /** the clue model (default: exact) */
  clues?: string;
  /** the mine density, if the mine count is unknown */
  density?: number;
  /** the rules that differ from the defaults */
  rules?: SomeRules;
  /** explain this cell: a proof, or that it is undecided */
  cell?: [number, number];
  /** return a proof of every certain cell */
  all?: boolean;
  /** the maximum number of consistency checks per proof */
  budget?: number;
  /** use the position of this game */
  game?: string;
  /** the state after this many moves (default: now) */
  at?: number;
}

/** Return what each reasoner deduces. */
export interface Reasoners {
  /** the position, in any form that `analyse` reads */
  view?: string;
  /** the clue model (default: exact) */
  clues?: string;
  /** the mine density, if the mine count is unknown */
  density?: number;
  /** the rules that differ from the defaults */
  rules?: SomeRules;
  /** use the position of this game */
  game?: string;
  /** the state after this many moves (default: now) */
  at?: number;
}

/** Return the chain of influence of a finished game. */
export interface Influence {
  /** explain this cell, step by step */
  cell?: [number, number];
  /** use the smallest proof of each cell */
  smallest?: boolean;
  /** a finished game, as `play --json` prints it */
  record?: object;
  /** use the position of this game */
  game?: string;
  /** the state after this many moves (default: now) */
  at?: number;
}

/** Generate random boards. */
export interface Generate {
  /** the size of the boards and their mines */
  deal: Size;
  /** how many boards (default: 1) */
  count?: number;
  /** the random seed of the boards (default: a new one) */
  seed?: number | string;
  /** the first cell (default: [0, 0]) */
  start?: [number, number];
  /** what is guaranteed about the first cell */
  opening?: "any" | "clear" | "safe";
  /** only boards that can be solved without guessing */
  no_guess?: boolean;
  /** only boards that this reasoning solves without guessing */
  reasoning?: "exact" | "gauss" | "local" | "pairs" | "subset";
  /** only boards that need exactly this reasoning */
  needs?: "exact" | "gauss" | "local" | "pairs" | "subset";
  /** only boards with a chain of influence of at least this many cells */
  chain?: number;
  /** the maximum number of deals per board */
  tries?: number;
  /** whether to repair a board by moving mines if all deals fail (default: true) */
  repair?: boolean;
}

/** Return how difficult a board is. */
export interface Grade {
  /** the board */
  board: string;
  /** the first cell (default: [0, 0]) */
  start?: [number, number];
  /** what is guaranteed about the first cell */
  opening?: "any" | "clear" | "safe";
}

/** Enter what cells show in another program. */
export interface Show {
  /** what cells show: [cell, value] in the order of opening */
  shows: ([[number, number] | null, number | "mine" | null])[];
}

/** Take back the last `show`. */
export interface Undo {}

/** Stop a request. */
export interface Stop {
  /** the id of the request (default: all) */
  of?: string | number;
}

/** End the session. */
export interface Quit {}

/** Start a game. */
export interface NewGame {
  /** the size of the board and its mines (default: beginner) */
  deal?: Size;
  /** the rules that differ from the defaults */
  rules?: SomeRules;
  /** the clue model (default: exact) */
  clues?: string;
  /** the random seed of the board (default: a new one) */
  seed?: number | string;
  /** the first cell, if it is fixed */
  start?: [number, number];
  /** a board that can be solved without guessing */
  no_guess?: boolean;
  /** a no-guess board that this reasoning solves */
  reasoning?: "exact" | "gauss" | "local" | "pairs" | "subset";
  /** a no-guess board that needs exactly this reasoning */
  needs?: "exact" | "gauss" | "local" | "pairs" | "subset";
  /** this board */
  board?: string;
  /** play on from this position, on a random board consistent with it */
  view?: string;
  /** play the board of this game or link again */
  again?: string;
}

/** Return the visible state of a game. */
export interface GameState {
  /** the ID of the game */
  game: string;
  /** the state after this many moves (default: now) */
  at?: number;
  /** also return the moves */
  moves?: boolean;
}

/** Make a move; the response contains only what changed. */
export interface MakeMove {
  /** the ID of the game */
  game: string;
  /** the action */
  action: "ask" | "chord" | "flag" | "open" | "stop" | "unflag";
  /** the cell of the action */
  cell?: [number, number];
  /** the number of moves so far; makes a repeated request harmless */
  n?: number;
}

/** Let an agent play in a game or in a new one; one response per move. */
export interface Watch {
  /** the size of the board and its mines (default: beginner) */
  deal?: Size;
  /** the rules that differ from the defaults */
  rules?: SomeRules;
  /** the clue model (default: exact) */
  clues?: string;
  /** the random seed of the board (default: a new one) */
  seed?: number | string;
  /** the first cell, if it is fixed */
  start?: [number, number];
  /** a board that can be solved without guessing */
  no_guess?: boolean;
  /** a no-guess board that this reasoning solves */
  reasoning?: "exact" | "gauss" | "local" | "pairs" | "subset";
  /** a no-guess board that needs exactly this reasoning */
  needs?: "exact" | "gauss" | "local" | "pairs" | "subset";
  /** this board */
  board?: string;
  /** play on from this position, on a random board consistent with it */
  view?: string;
  /** play the board of this game or link again */
  again?: string;
  /** the game (default: a new one) */
  game?: string;
  /** the agent that plays */
  agent?: string;
  /** the number of moves (default: until the game is over) */
  steps?: number;
  /** show the mines during the game */
  teacher?: boolean;
  /** return the equations and matrices behind each move */
  thoughts?: boolean;
}

/** Review a finished game; one response per move. */
export interface Review {
  /** the ID of the game */
  game?: string;
  /** a finished game, as `play --json` prints it */
  record?: object;
  /** also return the win probability before each guess (default: true) */
  win?: boolean;
}

/** Return your games with at least one move, the latest first, and your win rates. */
export interface ListGames {
  /** only games of this level */
  level?: "beginner" | "expert" | "intermediate" | "other";
  /** the maximum number of games (default: 50) */
  limit?: number;
  /** only games that started before this time (`next` of the last response) */
  before?: number;
}

/** Delete one of your games, or all of them. */
export interface DeleteGames {
  /** the ID of the game */
  game?: string;
  /** delete all your games */
  all?: boolean;
}

/** Return a finished game as a record. */
export interface GameRecord {
  /** the ID of the game */
  game: string;
}

/** Import games and return the first one. */
export interface Import {
  /** a finished game, as `play --json` prints it */
  record?: object;
  /** the content of a file, instead of `record`: JSON, JSON lines, or a RawVF video */
  text?: string;
}

/** Let agents play the same boards; several responses with growing numbers of games. */
export interface RunArena {
  /** the agents that play */
  agents: string[];
  /** the size of the board and its mines (default: beginner) */
  deal?: Size;
  /** the rules that differ from the defaults */
  rules?: SomeRules;
  /** the clue model (default: exact) */
  clues?: string;
  /** the number of boards (default: 200) */
  games?: number;
  /** the random seed of the board (default: a new one) */
  seed?: number | string;
}

/** Return the studies whose reports can be opened. */
export interface ListStudies {}

/** Return the address of the report of a study. */
export interface StudyPage {
  /** the name of the study */
  study: string;
}

export interface Requests {
  /** Return the version, methods, fields, agents, clue models and levels. */
  "hello": Hello;
  /** Start a game that the client referees. */
  "new": New;
  /** Set the position for the following requests. */
  "position": SetPosition;
  /** Return the move of an agent. */
  "go": Go;
  /** Return mine probabilities, certain cells and best moves. */
  "odds": Odds;
  /** Return the certain cells, with proofs. */
  "explain": Explain;
  /** Return what each reasoner deduces. */
  "reasoners": Reasoners;
  /** Return the chain of influence of a finished game. */
  "influence": Influence;
  /** Generate random boards. */
  "generate": Generate;
  /** Return how difficult a board is. */
  "grade": Grade;
  /** Enter what cells show in another program. */
  "show": Show;
  /** Take back the last `show`. */
  "undo": Undo;
  /** Stop a request. */
  "stop": Stop;
  /** End the session. */
  "quit": Quit;
  /** Start a game. */
  "game.new": NewGame;
  /** Return the visible state of a game. */
  "game.state": GameState;
  /** Make a move; the response contains only what changed. */
  "game.move": MakeMove;
  /** Let an agent play in a game or in a new one; one response per move. */
  "game.watch": Watch;
  /** Review a finished game; one response per move. */
  "game.review": Review;
  /** Return your games with at least one move, the latest first, and your win rates. */
  "game.list": ListGames;
  /** Delete one of your games, or all of them. */
  "game.delete": DeleteGames;
  /** Return a finished game as a record. */
  "game.record": GameRecord;
  /** Import games and return the first one. */
  "game.import": Import;
  /** Let agents play the same boards; several responses with growing numbers of games. */
  "arena.run": RunArena;
  /** Return the studies whose reports can be opened. */
  "study.list": ListStudies;
  /** Return the address of the report of a study. */
  "study.page": StudyPage;
}
