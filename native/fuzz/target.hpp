// What a fuzz target reports to main.cpp.
#pragma once

// Whether the last input was uninformative; such inputs are rarely kept.
bool fuzz_is_dull();
// Prints a summary of all inputs.
void fuzz_report();
