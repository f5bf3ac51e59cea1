// What a fuzz target tells main.cpp.
#pragma once

// Whether the last input showed little: such are rarely kept.
bool fuzz_is_dull();
// Prints what came of all inputs.
void fuzz_tell();
