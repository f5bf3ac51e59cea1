"""The messages that mineproof exchanges, as typed data: requests, responses and files.

Each is a `msgspec.Struct`; `decoding.decode` checks JSON data against one. JSON Schema, the
description of the HTTP API, the types of the web app and the tables of fields in the documentation
are generated from the same structs.
"""
