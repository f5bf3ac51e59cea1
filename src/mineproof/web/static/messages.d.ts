// Written by `python -m tools.message_types` from the types in mineproof/messages.

/** Return the version, methods, fields, agents, clue models and levels. */
export interface HelloRequest {}

/** Start a game that the client referees. */
export interface StartGameRequest {
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
  /** whether the board is fixed (dealt), or every loss is a mistake (fair) */
  luck?: "dealt" | "fair";
}

/** Set the position for the following requests. */
export interface SetPositionRequest {
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
export interface GoRequest {
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
  /** server only: use the position of this game */
  game?: string;
  /** the state after this many moves (default: now) */
  at?: number;
}

/** Return mine probabilities, certain cells and best moves. */
export interface OddsRequest {
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
  /** server only: use the position of this game */
  game?: string;
  /** the state after this many moves (default: now) */
  at?: number;
}

/** Return the certain cells, with proofs. */
export interface ExplainRequest {
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
  /** server only: use the position of this game */
  game?: string;
  /** the state after this many moves (default: now) */
  at?: number;
}

/** Return what each reasoner deduces. */
export interface ReasonersRequest {
  /** the position, in any form that `analyse` reads */
  view?: string;
  /** the clue model (default: exact) */
  clues?: string;
  /** the mine density, if the mine count is unknown */
  density?: number;
  /** the rules that differ from the defaults */
  rules?: SomeRules;
  /** server only: use the position of this game */
  game?: string;
  /** the state after this many moves (default: now) */
  at?: number;
}

/** Return the chain of influence of a finished game. */
export interface InfluenceRequest {
  /** explain this cell, step by step */
  cell?: [number, number];
  /** use the smallest proof of each cell */
  smallest?: boolean;
  /** a finished game, as `play --json` prints it */
  record?: RecordData | OldRecordData;
  /** server only: use the position of this game */
  game?: string;
  /** the state after this many moves (default: now) */
  at?: number;
}

/** A finished game. Unknown fields are ignored. */
export interface RecordData {
  format: "mineproof-record-2";
  /** the player */
  agent: string;
  /** the board with its mines */
  board: string;
  /** the rules */
  rules: SomeRules;
  /** the clue model */
  clues: string;
  /** the random seed, which determines uncertain clues */
  seed: number | string;
  /** whether the game was won */
  won: boolean;
  /** the score, if play went on after a mine */
  score: number | null;
  /** correct flags */
  right: number;
  /** wrong flags */
  wrong: number;
  /** mines that were opened */
  exploded: number;
  /** how long the game took */
  seconds: number;
  /** the turns, in order */
  moves: TurnData[];
  /** the first cell, if it was given */
  start?: [number, number] | null;
  /** what the agent did wrong, if that lost the game */
  fault?: string;
  /** mouse clicks, if known */
  clicks?: number | null;
  /** turns taken back in a practice game */
  undone?: number | null;
  /** with luck 'fair', the boards that replaced the one before; absent if none */
  drawn?: DrawnData[];
}

/** A turn: the action requested. Replayed on the board, it gives the same moves and events. */
export interface TurnData {
  /** the cell that was asked for */
  cell: [number, number];
  /** the action; a chord opens several cells */
  action: "ask" | "chord" | "flag" | "open" | "stop" | "unflag";
  /** the player's probability that the action is wrong */
  risk?: number | null;
  /** whether the player proved it right */
  certain?: boolean;
  /** the reason as text */
  reason?: string;
  /** the rule that proved it, if any */
  rule?: string;
  /** whether the risk is an estimate */
  estimated?: boolean;
  /** the reason as data */
  why?: Reason | null;
  /** the agent that asked; absent for a person */
  by?: string;
  /** when, in seconds since the first turn */
  seconds?: number | null;
}

/** A reason as data: its phrase, the values in it, and the premises of a deduction. */
export interface Reason {
  /** the key of the phrase in the catalogue */
  phrase: string;
  /** the values in the phrase; some are phrases again */
  values: Record<string, unknown>;
  /** the cells whose clues were used */
  clues: [number, number][];
  /** the known cells that were used */
  known: [number, number][];
  /** whether the mine count was used */
  count_used: boolean;
  /** true: these are all clues, perhaps more than are needed */
  every_clue?: boolean;
  /** true: the agent is not sound, so the premises may prove nothing */
  claimed?: boolean;
}

/** A board that replaced another during a game without luck. */
export interface DrawnData {
  /** how many moves were made before; each opening of a chord is a move */
  move: number;
  /** the new board with its mines */
  board: string;
  /** whether there was too much to count, so that the move passed as a guess */
  kind?: boolean;
}

/** A record of version 1: its chords are single openings, and its times are in one list. */
export interface OldRecordData {
  format: "mineproof-record-1";
  /** the player */
  agent: string;
  /** the board with its mines */
  board: string;
  /** the rules */
  rules: SomeRules;
  /** the clue model */
  clues: string;
  /** the random seed, which determines uncertain clues */
  seed: number | string;
  /** whether the game was won */
  won: boolean;
  /** the score, if play went on after a mine */
  score: number | null;
  /** correct flags */
  right: number;
  /** wrong flags */
  wrong: number;
  /** mines that were opened */
  exploded: number;
  /** how long the game took */
  seconds: number;
  /** the turns, in order */
  moves: TurnData[];
  /** the first cell, if it was given */
  start?: [number, number] | null;
  /** what the agent did wrong, if that lost the game */
  fault?: string;
  /** mouse clicks, if known */
  clicks?: number | null;
  /** turns taken back in a practice game */
  undone?: number | null;
  /** with luck 'fair', the boards that replaced the one before; absent if none */
  drawn?: DrawnData[];
  /** when each move was made */
  times?: number[];
}

/** Generate random boards. */
export interface GenerateRequest {
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
export interface GradeRequest {
  /** the board */
  board: string;
  /** the first cell (default: [0, 0]) */
  start?: [number, number];
  /** what is guaranteed about the first cell */
  opening?: "any" | "clear" | "safe";
}

/** Enter what cells show in another program. */
export interface ShowRequest {
  /** what cells show: [cell, value] in the order of opening */
  shows: ([[number, number] | null, number | "mine" | null])[];
}

/** Take back the last `show`. */
export interface UndoRequest {}

/** Stop a request. */
export interface StopRequest {
  /** the id of the request (default: all) */
  of?: string | number;
}

/** End the session. */
export interface QuitRequest {}

/** Start a game. */
export interface NewGameRequest {
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
export interface GameStateRequest {
  /** the ID of the game */
  game: string;
  /** the state after this many moves (default: now) */
  at?: number;
  /** also return the moves */
  moves?: boolean;
}

/** Make a move; the response contains only what changed. */
export interface MakeMoveRequest {
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
export interface WatchRequest {
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
export interface ReviewRequest {
  /** the ID of the game */
  game?: string;
  /** a finished game, as `play --json` prints it */
  record?: RecordData | OldRecordData;
  /** also return the win probability before each guess (default: true) */
  win?: boolean;
}

/** Return your games with at least one move, the latest first, and your win rates. */
export interface ListGamesRequest {
  /** only games of this level */
  level?: "beginner" | "expert" | "intermediate" | "other";
  /** the maximum number of games (default: 50) */
  limit?: number;
  /** only games that started before this time (`next` of the last response) */
  before?: number;
}

/** Delete one of your games, or all of them. */
export interface DeleteGamesRequest {
  /** the ID of the game */
  game?: string;
  /** delete all your games */
  all?: boolean;
}

/** Return a finished game as a record. */
export interface GameRecordRequest {
  /** the ID of the game */
  game: string;
}

/** Import games and return the first one. */
export interface ImportRequest {
  /** a finished game, as `play --json` prints it */
  record?: RecordData | OldRecordData;
  /** the content of a file, instead of `record`: JSON, JSON lines, or a RawVF video */
  text?: string;
}

/** Let agents play the same boards; several responses with growing numbers of games. */
export interface RunArenaRequest {
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
export interface ListStudiesRequest {}

/** Return the address of the report of a study. */
export interface StudyPageRequest {
  /** the name of the study */
  study: string;
}

/** What the program on the other side can do. */
export interface Capabilities {
  /** the version of the protocol */
  protocol: number;
  /** the name of the program */
  name: string;
  /** the version of the program */
  version: string;
  /** the engine: native, python or wasm */
  engine: string;
  /** the methods */
  methods: string[];
  /** the fields of the requests of each method */
  fields: Record<string, string[]>;
  /** the names of the agents */
  agents: string[];
  /** the clue models */
  clues: string[];
  /** the levels by name */
  levels: Record<string, LevelSize>;
}

/** The size of a level. */
export interface LevelSize {
  /** the number of rows */
  rows: number;
  /** the number of columns */
  cols: number;
  /** the number of mines */
  mines: number;
}

/** The position is set. */
export interface PositionSet {
  /** the position */
  view: string;
}

/** The move of an agent after its flags, and what the champion considered. */
export interface AdvisedMove {
  /** the cell of the move */
  cell: [number, number];
  /** the action */
  action: "ask" | "chord" | "flag" | "open" | "stop" | "unflag";
  /** the probability that the move is wrong, if known */
  risk: number | null;
  /** whether the move is proved right */
  certain: boolean;
  /** the reason in words */
  reason: string;
  /** the rule that proved the move, or an empty string */
  rule: string;
  /** whether the risk is an estimate */
  estimated: boolean;
  /** the reason as data */
  why?: Reason;
  /** the cells that the agent would flag first */
  flags: [number, number][];
  /** the win probability after the move, if it is known */
  win: number | null;
  /** what the champion considered, the best first */
  candidates: CandidateData[];
}

/** A cell that the champion considered. */
export interface CandidateData {
  /** the cell */
  cell: [number, number];
  /** its mine probability */
  risk: number;
  /** its value in the look-ahead; higher is better */
  score: number | null;
  /** the win probability after opening it */
  win: number | null;
  /** the standard error of `win`; 0 if it is exact */
  error: number | null;
  /** if play continues after a mine: the expected number of missing and wrong flags */
  loss: number | null;
}

/** The very next move of an agent. */
export interface NextMove {
  /** the cell of the move */
  cell: [number, number];
  /** the action */
  action: "ask" | "chord" | "flag" | "open" | "stop" | "unflag";
  /** the probability that the move is wrong, if known */
  risk: number | null;
  /** whether the move is proved right */
  certain: boolean;
  /** the reason in words */
  reason: string;
  /** the rule that proved the move, or an empty string */
  rule: string;
  /** whether the risk is an estimate */
  estimated: boolean;
  /** the reason as data */
  why?: Reason;
}

/** Mine probabilities, certain cells and best moves. */
export interface MineOdds {
  /** by row: the mine probabilities; null for open cells */
  risk: ((number | null)[])[];
  /** the cells that are certainly safe */
  safe: [number, number][];
  /** the cells that are certainly mines */
  mined: [number, number][];
  /** the best cells to open, the best first */
  best: RankedCell[];
  /** whether the probabilities are exact */
  exact: boolean;
  /** the standard error of the probabilities; 0 if exact */
  error: number | null;
  /** the logarithm of the total weight of all configurations */
  log_weight: number | null;
  /** the win probability, on request and if available */
  win: WinProbabilityData | null;
  /** by row, on request: the probabilities that cells show 0; null for open cells */
  zeros?: ((number | null)[])[];
}

/** A cell to open. */
export interface RankedCell {
  /** the cell */
  cell: [number, number];
  /** its mine probability */
  risk: number;
}

/** A win probability. */
export interface WinProbabilityData {
  /** the probability */
  chance: number;
  /** its standard error; 0 if it is exact */
  error: number;
  /** whether it is exact */
  exact: boolean;
  /** a 95 % confidence interval */
  interval: [number, number];
}

/** The certain cells, with proofs. */
export interface CertainCells {
  /** whether no cell is certainly safe */
  may_guess: boolean;
  /** the cells that are certainly safe */
  safe: [number, number][];
  /** the cells that are certainly mines */
  mined: [number, number][];
  /** the flagged cells that are safe */
  wrong_flags: [number, number][];
  /** the proof that is easiest to see */
  easiest: ProofData | null;
  /** on request: all proofs */
  proofs?: ProofData[];
}

/** The proof of a cell. */
export interface ProofData {
  /** the cell */
  cell: [number, number];
  /** whether it is a mine */
  mine: boolean;
  /** its mine probability, 0 or 1 */
  risk: number;
  /** the cells whose clues the proof uses */
  clues: [number, number][];
  /** whether it also uses the mine count */
  count_used: boolean;
  /** whether no smaller set of clues proves it */
  least: boolean;
  /** whether no clue can be left out, nor the count */
  irreducible: boolean;
  /** the kind of the hardest step, if any */
  ease: "cases" | "clue" | "count" | "pair" | "pattern" | "subset" | "sum" | "";
  /** whether the cell is flagged although it is safe */
  refutes_flag: boolean;
  /** the steps, from the clues to the cell */
  steps: ProofStepData[];
  /** the first line of the proof as data */
  verdict: Sentence;
  /** the proof in words */
  words: string;
}

/** A step of a proof. */
export interface ProofStepData {
  /** the kind of step, from easy to hard */
  kind: "cases" | "clue" | "count" | "pair" | "pattern" | "subset" | "sum";
  /** the cells whose clues are used */
  clues: [number, number][];
  /** whether the mine count is used */
  count_used: boolean;
  /** the cells that the step proves */
  settled: CellVerdict[];
  /** the signs with which clues are added */
  signs?: number[];
  /** the lines of an argument by cases */
  lines?: CaseLineData[];
  /** the step as data */
  why: Sentence;
  /** the step in words */
  words: string;
}

/** A cell that is proved. */
export interface CellVerdict {
  /** the cell */
  cell: [number, number];
  /** whether it is a mine */
  mine: boolean;
}

/** A line of an argument by cases. */
export interface CaseLineData {
  /** an assumption, what a clue then forces, or a contradiction */
  what: "assume" | "clash" | "force";
  /** how many assumptions hold */
  depth: number;
  /** the clues that are used; null for the mine count */
  clues: ([number, number] | null)[];
  /** the cells that the line is about */
  cells: [number, number][];
  /** whether they are mines */
  mine: boolean;
}

/** A sentence as data: a phrase and the values in it. */
export interface Sentence {
  /** the key of the phrase in the catalogue */
  phrase: string;
  /** the values in the phrase; some are phrases again */
  values: Record<string, unknown>;
}

/** What is known about a cell that is not certain. */
export interface UndecidedCell {
  /** the cell */
  cell: [number, number];
  /** null: neither is proved */
  mine: null;
  /** its mine probability */
  risk: number;
  /** the numbers of configurations, unless there are too many */
  arrangements: Configurations | null;
  /** the mines of two configurations: one with a mine in the cell, one without */
  witnesses: [[number, number][], [number, number][]] | null;
  /** the cell that would most likely decide it */
  settler: DecidingCell | null;
  /** what is known about it, as data */
  notes: Sentence[];
  /** the first line as data */
  verdict: Sentence;
  /** the same in words */
  words: string;
}

/** Numbers of configurations. */
export interface Configurations {
  /** with a mine in the cell */
  mine: number;
  /** without one */
  safe: number;
}

/** The cell whose opening would most likely decide another one. */
export interface DecidingCell {
  /** the cell to open */
  cell: [number, number];
  /** the probability that it decides the other one */
  chance: number;
}

/** What each reasoner deduces. */
export interface ReasonerResults {
  /** the reasoners, the weakest first */
  reasoners: ReasonerResultData[];
}

/** What one reasoner deduces. */
export interface ReasonerResultData {
  /** its name */
  name: string;
  /** its name for people */
  title: string;
  /** what it does */
  about: string;
  /** the cells that it deduces */
  settled: DeducedCell[];
  /** those that no reasoner before it deduces */
  first: [number, number][];
  /** the certain cells that it does not deduce */
  missed: [number, number][];
  /** false if the position is too large for it and it may deduce more */
  whole: boolean;
}

/** A cell that a reasoner deduces. */
export interface DeducedCell {
  /** the cell */
  cell: [number, number];
  /** whether it is a mine */
  mine: boolean;
  /** the rule */
  rule: string;
  /** the cells whose clues were used */
  clues: [number, number][];
  /** the reason in words */
  why: string;
}

/** The chain of influence of a game. */
export interface InfluenceGraph {
  /** the name of the format */
  format: string;
  /** the final position */
  view: string;
  /** a longest chain */
  longest: [number, number][];
  /** the maximum number of cells at the same depth */
  width: number;
  /** the cells that were opened or flagged by choice */
  choices: [number, number][];
  /** the known cells in the order of the game */
  nodes: InfluenceNode[];
  /** true: the agent is not sound, so proofs are only claims */
  claimed?: boolean;
}

/** A known cell and what it rests on. */
export interface InfluenceNode {
  /** the cell */
  cell: [number, number];
  /** by choice, by the opening rule, opened by a zero, or proved */
  kind: "choice" | "flood" | "mine" | "safe" | "told";
  /** the rule that proved it, or an empty string */
  rule: string;
  /** the cells that it rests on */
  parents: [number, number][];
  /** how many of the parents, from the first, are clues */
  clues: number;
  /** whether the mine count was used */
  count_used: boolean;
  /** the length of the longest chain to it */
  depth: number;
  /** for a clue: the distance to the farthest cell that rests on it */
  reach: number | null;
}

/** The cells on which one deduction rests. */
export interface CellInfluence {
  /** the cell */
  cell: [number, number];
  /** the length of the longest chain to it */
  depth: number;
  /** a longest chain to it */
  chain: [number, number][];
  /** all cells on which it rests */
  ancestors: [number, number][];
  /** the deductions as data, after a heading */
  steps: Sentence[];
  /** the same in words */
  words: string[];
}

/** Random boards. */
export interface GeneratedBoards {
  /** the seed; a string of digits if it is large */
  seed: number | string;
  /** the boards */
  boards: GeneratedBoard[];
}

/** A board and its origin. */
export interface GeneratedBoard {
  /** the number of openings */
  openings: number;
  /** the number of islands */
  islands: number;
  /** the 3BV */
  bbbv: number;
  /** the board */
  board: string;
  /** the first cell */
  start: [number, number] | null;
  /** the seed; a string of digits if it is large */
  seed: number | string;
  /** the number of deals that it took */
  tries: number;
  /** whether mines of the last deal were moved */
  repaired: boolean;
}

/** How difficult a board is. */
export interface BoardGrade {
  /** the number of openings */
  openings: number;
  /** the number of islands */
  islands: number;
  /** the 3BV */
  bbbv: number;
  /** the board */
  board: string;
  /** the first cell */
  start: [number, number];
  /** what is guaranteed about the first cell */
  opening: "any" | "clear" | "safe";
  /** whether it can be solved without guessing */
  no_guess: boolean;
  /** the highest level of reasoning that is needed */
  reasoning: "exact" | "gauss" | "local" | "pairs" | "subset";
  /** how many positions need that level */
  steps: number;
  /** by level: how many positions need it */
  times: Record<string, number>;
  /** the largest proof that is needed */
  proof: LargestProof | null;
  /** the length of the longest chain of influence */
  chain: number;
  /** the number of forced guesses */
  guesses: number;
  /** their mine probabilities */
  risks: number[];
  /** the probability of surviving all guesses */
  chance: number;
}

/** The largest proof that a board needs. */
export interface LargestProof {
  /** the cell that it proves */
  cell: [number, number];
  /** the cells whose clues it uses */
  clues: [number, number][];
  /** whether it also uses the mine count */
  count_used: boolean;
  /** whether no smaller set of clues proves the cell */
  least: boolean;
  /** the kind of its hardest step, if any */
  ease: "cases" | "clue" | "count" | "pair" | "pattern" | "subset" | "sum" | "";
  /** the number of its clues */
  size: number;
  /** the position in which it is needed */
  view: string;
}

/** What is known about a board in another program. */
export interface DeducedPosition {
  /** the position */
  view: string;
  /** the cells that are certainly safe */
  safe: [number, number][];
  /** the cells that are certainly mines */
  mined: [number, number][];
  /** how the game ended; null during the game */
  over: GameEndData | null;
}

/** How a game in another program ended. */
export interface GameEndData {
  /** the outcome */
  outcome: "lost" | "stopped" | "won";
  /** the outcome in words */
  reason: string;
  /** the number of mines that were hit */
  hit: number;
  /** the score, if play continues after a mine */
  score: number | null;
}

/** Whether a request was stopped. */
export interface StopResult {
  /** whether any such request was running */
  stopped: boolean;
}

/** The session ends. */
export interface SessionEnd {}

/** The visible state of a game; after a move `events` contains only what changed. */
export interface GameState {
  /** the ID of the game */
  game: string;
  /** the number of moves so far */
  n: number;
  /** the number of rows */
  rows: number;
  /** the number of columns */
  cols: number;
  /** the number of mines, if it is known */
  mines: number | null;
  /** the level, if the game is played at one */
  level: "beginner" | "expert" | "intermediate" | null;
  /** the rules */
  rules: RulesData;
  /** the clue model */
  clues: string;
  /** the first cell, if it is fixed */
  start: [number, number] | null;
  /** own, practice, agents, teacher or record */
  kind: "agents" | "own" | "practice" | "record" | "teacher";
  /** the agent that plays or played in the game, if any */
  agent: string | null;
  /** what cells show: [row, col, state], perhaps a bound */
  events: Change[];
  /** whether the game is over */
  over: boolean;
  /** whether the game was won; null during the game */
  won: boolean | null;
  /** the final score, if play continues after a mine */
  score: number | null;
  /** the number of mines that were hit */
  hit: number;
  /** the mine count minus flags and mines hit */
  mines_left: number | null;
  /** the time from the first move to the last one, or to now */
  seconds: number;
  /** the address at which others can play the board */
  link: string;
  /** on request: the number of moves of this state */
  at?: number;
  /** on request: the moves */
  moves?: GameMove[];
  /** the board, once it may be seen */
  board?: string;
  /** the 3BV of the board, once it may be seen */
  bbbv?: number;
  /** the seed; a string of digits if it is large */
  seed?: number | string;
}

/** The rules of a game. */
export interface RulesData {
  /** whether hitting a mine ends the game */
  on_mine: "continue" | "end";
  /** what is guaranteed about the first cell */
  opening: "any" | "clear" | "safe";
  /** whether the player knows the mine count */
  count_known: boolean;
  /** the mine density that the player knows instead */
  density: number | null;
  /** whether opening a 0 opens its neighbours */
  flood: boolean;
  /** fair if every loss is a mistake; absent if the board is fixed */
  luck?: "dealt" | "fair";
}

/** A move of a game, its reason and its changes. */
export interface GameMove {
  /** the cell of the move */
  cell: [number, number];
  /** the action */
  action: "ask" | "chord" | "flag" | "open" | "stop" | "unflag";
  /** the probability that the move is wrong, if known */
  risk: number | null;
  /** whether the move is proved right */
  certain: boolean;
  /** the reason in words */
  reason: string;
  /** the rule that proved the move, or an empty string */
  rule: string;
  /** whether the risk is an estimate */
  estimated: boolean;
  /** the reason as data */
  why?: Reason;
  /** the number of the move, from 0 */
  n: number;
  /** the agent that made it; null for a person */
  by: string | null;
  /** what changed: [row, col, state], perhaps a bound */
  events: Change[];
  /** the time of the move, from the first one */
  seconds: number;
  /** on request: the reasoning behind it */
  thought?: ThoughtData;
}

/** The reasoning behind a move. */
export interface ThoughtData {
  /** the equations known before the move */
  equations: LogEntry[];
  /** what reasoners did with them */
  steps: LogEntry[];
}

/** A line of the log of an agent's reasoning: a phrase with its values, or a formula. */
export interface LogEntry {
  /** the kind of line */
  kind: "columns" | "deduced" | "idle" | "scope" | "step";
  /** the key of the phrase in the catalogue */
  phrase?: string;
  /** the values in the phrase */
  values?: Record<string, unknown>;
  /** the formula */
  text?: string;
}

/** The state of a game in which an agent plays, and the move that led to it. */
export interface WatchedGameState {
  /** the ID of the game */
  game: string;
  /** the number of moves so far */
  n: number;
  /** the number of rows */
  rows: number;
  /** the number of columns */
  cols: number;
  /** the number of mines, if it is known */
  mines: number | null;
  /** the level, if the game is played at one */
  level: "beginner" | "expert" | "intermediate" | null;
  /** the rules */
  rules: RulesData;
  /** the clue model */
  clues: string;
  /** the first cell, if it is fixed */
  start: [number, number] | null;
  /** own, practice, agents, teacher or record */
  kind: "agents" | "own" | "practice" | "record" | "teacher";
  /** the agent that plays or played in the game, if any */
  agent: string | null;
  /** what cells show: [row, col, state], perhaps a bound */
  events: Change[];
  /** whether the game is over */
  over: boolean;
  /** whether the game was won; null during the game */
  won: boolean | null;
  /** the final score, if play continues after a mine */
  score: number | null;
  /** the number of mines that were hit */
  hit: number;
  /** the mine count minus flags and mines hit */
  mines_left: number | null;
  /** the time from the first move to the last one, or to now */
  seconds: number;
  /** the address at which others can play the board */
  link: string;
  /** on request: the number of moves of this state */
  at?: number;
  /** on request: the moves */
  moves?: GameMove[];
  /** the board, once it may be seen */
  board?: string;
  /** the 3BV of the board, once it may be seen */
  bbbv?: number;
  /** the seed; a string of digits if it is large */
  seed?: number | string;
  /** the move */
  move?: GameMove;
  /** true if more responses follow */
  more?: boolean;
}

/** A judged move; more responses follow. */
export interface JudgedMoveData {
  /** the move */
  move: Judgement;
  /** true: more responses follow */
  more: boolean;
}

/** A move of a finished game, judged by what could be known when it was made. */
export interface Judgement {
  /** the number of the move, from 0 */
  n: number;
  /** the cell of the move */
  cell: [number, number];
  /** the action */
  action: "ask" | "chord" | "flag" | "open" | "stop" | "unflag";
  /** the probability that it opened a mine or flagged a safe cell */
  risk: number | null;
  /** the lowest risk of any cell that could be opened */
  least: number | null;
  /** certainly safe cells, if another one was opened */
  missed: [number, number][];
  /** whether it hit a mine */
  hit: boolean;
  /** whether the risks are exact */
  exact: boolean;
  /** the win probability before a risky move, if available */
  win: WinProbabilityData | null;
  /** the win probability after it, if available */
  after: WinProbabilityData | null;
  /** the win probability lost compared with the champion's move */
  cost: WinProbabilityData | null;
}

/** The end of a review. */
export interface ReviewEnd {
  /** the luck of the game */
  luck: LuckData;
  /** whether the game was won */
  won: boolean;
  /** the score, if play continues after a mine */
  score: number | null;
}

/** The risks and the luck of a game in numbers. */
export interface LuckData {
  /** the number of openings */
  openings: number;
  /** forced guesses */
  guesses: number;
  /** risky openings while a cell was certainly safe */
  needless: number;
  /** all unnecessary risks */
  unnecessary: number;
  /** the sum of all risks minus the lowest ones available */
  excess: number;
  /** the expected number of mines hit */
  expected_hits: number;
  /** the number of mines hit */
  hits: number;
  /** those hit by unnecessary risks */
  unnecessary_hits: number;
  /** the probability that the openings hit no mine */
  survival: number;
  /** the probability of at most as many hits */
  as_good: number;
  /** the probability of at least as many hits */
  as_bad: number;
  /** the expected number of mines hit minus the actual number */
  luck: number;
  /** how large a part luck played */
  verdict: "expected" | "lucky" | "none" | "unlucky" | "unnecessary";
}

/** Your games and win rates. */
export interface GameList {
  /** the games, the latest first */
  games: ListedGame[];
  /** the value of `before` that continues the list */
  next: number | null;
  /** your win rates by level */
  rates: WinRate[];
}

/** A game in the list. */
export interface ListedGame {
  /** the ID of the game */
  game: string;
  /** the level, if the game was played at one */
  level: "beginner" | "expert" | "intermediate" | null;
  /** the number of rows */
  rows: number;
  /** the number of columns */
  cols: number;
  /** the number of mines, if it is known */
  mines: number | null;
  /** the clue model */
  clues: string;
  /** whether hitting a mine ends the game */
  on_mine: "continue" | "end";
  /** own, practice, agents, teacher or record */
  kind: "agents" | "own" | "practice" | "record" | "teacher";
  /** the agent that plays or played in the game, if any */
  agent: string | null;
  /** when the game started, in seconds since 1970 */
  begun: number;
  /** the number of moves */
  n: number;
  /** whether the game is over */
  over: boolean;
  /** whether the game was won; null during the game */
  won: boolean | null;
  /** the final score, if play continues after a mine */
  score: number | null;
  /** the time that the game took; null during the game */
  seconds: number | null;
  /** the 3BV of the board; null during the game */
  bbbv: number | null;
}

/** The win rate at a level. */
export interface WinRate {
  /** the level */
  level: "beginner" | "expert" | "intermediate" | "other";
  /** the number of games */
  games: number;
  /** the number of wins */
  wins: number;
  /** wins per game */
  rate: number;
  /** a 95 % confidence interval */
  interval: [number, number];
  /** the mean score, if games have scores */
  score: number | null;
  /** the time of the fastest win */
  best_seconds: number | null;
}

/** Games were deleted. */
export interface Deleted {
  /** how many */
  deleted: number;
}

/** A finished game. */
export interface RecordedGame {
  /** the ID of the game */
  game: string;
  /** the record, as `play --json` prints it */
  record: WrittenRecord;
}

/** A record as it is written, with numbers that follow from its turns. */
export interface WrittenRecord {
  format: "mineproof-record-2";
  /** the player */
  agent: string;
  /** the board with its mines */
  board: string;
  /** the rules */
  rules: SomeRules;
  /** the clue model */
  clues: string;
  /** the random seed, which determines uncertain clues */
  seed: number | string;
  /** whether the game was won */
  won: boolean;
  /** the score, if play went on after a mine */
  score: number | null;
  /** correct flags */
  right: number;
  /** wrong flags */
  wrong: number;
  /** mines that were opened */
  exploded: number;
  /** how long the game took */
  seconds: number;
  /** the turns, in order */
  moves: TurnData[];
  /** the first cell, if it was given */
  start?: [number, number] | null;
  /** what the agent did wrong, if that lost the game */
  fault?: string;
  /** mouse clicks, if known */
  clicks?: number | null;
  /** turns taken back in a practice game */
  undone?: number | null;
  /** with luck 'fair', the boards that replaced the one before; absent if none */
  drawn?: DrawnData[];
  /** cells opened without being certainly safe */
  guesses: number;
  /** moves whose risk is an estimate */
  estimates: number;
  /** how many moves each rule proved */
  deductions: Record<string, number>;
  /** certain moves that were wrong; absent if 0 and the agent is sound */
  wrong_claims?: number;
}

/** The state of the first game that was imported. */
export interface ImportedGameState {
  /** the ID of the game */
  game: string;
  /** the number of moves so far */
  n: number;
  /** the number of rows */
  rows: number;
  /** the number of columns */
  cols: number;
  /** the number of mines, if it is known */
  mines: number | null;
  /** the level, if the game is played at one */
  level: "beginner" | "expert" | "intermediate" | null;
  /** the rules */
  rules: RulesData;
  /** the clue model */
  clues: string;
  /** the first cell, if it is fixed */
  start: [number, number] | null;
  /** own, practice, agents, teacher or record */
  kind: "agents" | "own" | "practice" | "record" | "teacher";
  /** the agent that plays or played in the game, if any */
  agent: string | null;
  /** what cells show: [row, col, state], perhaps a bound */
  events: Change[];
  /** whether the game is over */
  over: boolean;
  /** whether the game was won; null during the game */
  won: boolean | null;
  /** the final score, if play continues after a mine */
  score: number | null;
  /** the number of mines that were hit */
  hit: number;
  /** the mine count minus flags and mines hit */
  mines_left: number | null;
  /** the time from the first move to the last one, or to now */
  seconds: number;
  /** the address at which others can play the board */
  link: string;
  /** on request: the number of moves of this state */
  at?: number;
  /** on request: the moves */
  moves?: GameMove[];
  /** the board, once it may be seen */
  board?: string;
  /** the 3BV of the board, once it may be seen */
  bbbv?: number;
  /** the seed; a string of digits if it is large */
  seed?: number | string;
  /** how many games were imported */
  kept: number;
}

/** The results of an arena so far. */
export interface StandingsData {
  /** the number of boards that were played */
  games: number;
  /** the number of boards to play */
  of: number;
  /** board, rules and clue model in words */
  conditions: string;
  /** the results of each agent */
  agents: StandingData[];
  /** the differences between agents */
  paired: DifferenceData[];
  /** the salt of a sealed arena */
  salt: string | null;
  /** the requested precision in percentage points */
  until: number | null;
  /** whether the precision is reached, if one was requested */
  known: boolean | null;
  /** the size of the boards and their mines */
  board: string;
  /** the rules */
  rules: RulesData;
  /** the clue model */
  clues: string;
  /** the first cell, if it is fixed */
  start: [number, number] | null;
  /** the seed; a string of digits if it is large */
  seed: number | string;
  /** true if more responses follow */
  more?: boolean;
}

/** The results of an agent in an arena, with averages per game. */
export interface StandingData {
  /** the agent */
  name: string;
  /** the number of games */
  games: number;
  /** the number of wins */
  wins: number;
  /** wins per game */
  win_rate: number;
  /** a 95 % confidence interval */
  win_interval: [number, number];
  /** the mean score, if play continues after a mine */
  score: number | null;
  /** its 95 % confidence interval */
  score_interval: [number, number] | null;
  /** correct flags at the end */
  right: number;
  /** wrong flags at the end */
  wrong: number;
  /** mines opened */
  exploded: number;
  /** cells opened that were not certain to be safe */
  guesses: number;
  /** moves of all kinds */
  moves: number;
  /** moves that rest on an estimate */
  estimates: number;
  /** the number of games that the agent forfeited */
  faults: number;
  /** by rule: the moves that it deduced */
  deductions: Record<string, number>;
  /** the CPU time of all games */
  cpu_seconds: number;
  /** games per second of CPU time */
  games_per_cpu_second: number;
}

/** The paired difference of two agents: the first minus the second. */
export interface DifferenceData {
  /** the first agent */
  first: string;
  /** the second agent */
  second: string;
  /** what is compared: wins or the score */
  of: string;
  /** the mean difference */
  difference: number;
  /** its standard error; null after one game */
  standard_error: number | null;
  /** its 95 % confidence interval */
  interval: [number, number] | null;
}

/** The studies whose reports can be opened. */
export interface StudyList {
  /** the studies */
  studies: ListedStudy[];
}

/** A study in the list. */
export interface ListedStudy {
  /** the name of the study */
  study: string;
  /** whether its report is up to date */
  ready: boolean;
}

/** The address of the report of a study. */
export interface StudyAddress {
  /** the name of the study */
  study: string;
  /** the address of the report */
  page: string;
}

/** An error, which any request may have as its response. */
export interface ErrorResponse {
  /** what is wrong */
  error: Error;
}

/** What is wrong. */
export interface Error {
  /** the kind of error, for programs */
  kind: "agent" | "busy" | "contradiction" | "engine" | "failed" | "fault" | "forbidden" | "illegal" | "invalid" | "large" | "memory" | "not-found" | "server" | "stopped" | "store" | "unknown";
  /** one line for people */
  message: string;
  /** the message without the position with which it ends */
  what?: string;
  /** the same as data, if it is known */
  why?: Sentence;
  /** the conflicting clues of a contradiction */
  cells?: [number, number][];
  /** whether the mine count is needed for the contradiction */
  count_used?: boolean;
  /** false if some of these clues may conflict without the others */
  irreducible?: boolean;
}

export interface Requests {
  /** Return the version, methods, fields, agents, clue models and levels. */
  "hello": HelloRequest;
  /** Start a game that the client referees. */
  "new": StartGameRequest;
  /** Set the position for the following requests. */
  "position": SetPositionRequest;
  /** Return the move of an agent. */
  "go": GoRequest;
  /** Return mine probabilities, certain cells and best moves. */
  "odds": OddsRequest;
  /** Return the certain cells, with proofs. */
  "explain": ExplainRequest;
  /** Return what each reasoner deduces. */
  "reasoners": ReasonersRequest;
  /** Return the chain of influence of a finished game. */
  "influence": InfluenceRequest;
  /** Generate random boards. */
  "generate": GenerateRequest;
  /** Return how difficult a board is. */
  "grade": GradeRequest;
  /** Enter what cells show in another program. */
  "show": ShowRequest;
  /** Take back the last `show`. */
  "undo": UndoRequest;
  /** Stop a request. */
  "stop": StopRequest;
  /** End the session. */
  "quit": QuitRequest;
  /** Start a game. */
  "game.new": NewGameRequest;
  /** Return the visible state of a game. */
  "game.state": GameStateRequest;
  /** Make a move; the response contains only what changed. */
  "game.move": MakeMoveRequest;
  /** Let an agent play in a game or in a new one; one response per move. */
  "game.watch": WatchRequest;
  /** Review a finished game; one response per move. */
  "game.review": ReviewRequest;
  /** Return your games with at least one move, the latest first, and your win rates. */
  "game.list": ListGamesRequest;
  /** Delete one of your games, or all of them. */
  "game.delete": DeleteGamesRequest;
  /** Return a finished game as a record. */
  "game.record": GameRecordRequest;
  /** Import games and return the first one. */
  "game.import": ImportRequest;
  /** Let agents play the same boards; several responses with growing numbers of games. */
  "arena.run": RunArenaRequest;
  /** Return the studies whose reports can be opened. */
  "study.list": ListStudiesRequest;
  /** Return the address of the report of a study. */
  "study.page": StudyPageRequest;
}

export interface Responses {
  /** What the program on the other side can do. */
  "hello": Capabilities;
  /** The position is set. */
  "new": PositionSet;
  /** The position is set. */
  "position": PositionSet;
  "go": AdvisedMove | NextMove;
  /** Mine probabilities, certain cells and best moves. */
  "odds": MineOdds;
  "explain": CertainCells | ProofData | UndecidedCell;
  /** What each reasoner deduces. */
  "reasoners": ReasonerResults;
  "influence": InfluenceGraph | CellInfluence;
  /** Random boards. */
  "generate": GeneratedBoards;
  /** How difficult a board is. */
  "grade": BoardGrade;
  /** What is known about a board in another program. */
  "show": DeducedPosition;
  /** What is known about a board in another program. */
  "undo": DeducedPosition;
  /** Whether a request was stopped. */
  "stop": StopResult;
  /** The session ends. */
  "quit": SessionEnd;
  /** The visible state of a game; after a move `events` contains only what changed. */
  "game.new": GameState;
  /** The visible state of a game; after a move `events` contains only what changed. */
  "game.state": GameState;
  /** The visible state of a game; after a move `events` contains only what changed. */
  "game.move": GameState;
  /** The state of a game in which an agent plays, and the move that led to it. */
  "game.watch": WatchedGameState;
  "game.review": JudgedMoveData | ReviewEnd;
  /** Your games and win rates. */
  "game.list": GameList;
  /** Games were deleted. */
  "game.delete": Deleted;
  /** A finished game. */
  "game.record": RecordedGame;
  /** The state of the first game that was imported. */
  "game.import": ImportedGameState;
  /** The results of an arena so far. */
  "arena.run": StandingsData;
  /** The studies whose reports can be opened. */
  "study.list": StudyList;
  /** The address of the report of a study. */
  "study.page": StudyAddress;
}
