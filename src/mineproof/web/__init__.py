"""The server behind the page: games in a store, one language of messages, slow work elsewhere."""
