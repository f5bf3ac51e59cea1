// Data files that are part of the library. CMake writes the source that contains their bytes.
#pragma once

#include <cstdint>
#include <span>

namespace mineproof {

// native/src/ranking_weights.bin
[[nodiscard]] std::span<const std::uint8_t> ranking_weights();

}  // namespace mineproof
