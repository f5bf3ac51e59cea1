// Operations on sixteen bytes at a time: compiler vector extensions plus SSE2 or other intrinsics
// where available, plain loops elsewhere. The results are the same on every target.
//
// For use by Network only: the names are short, and nothing here knows what the bytes mean.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace mineproof::lanes {

// Comparing two Bytes yields 255 or 0 in each byte.
constexpr std::size_t width = 16;
using Bytes = std::uint8_t __attribute__((vector_size(16)));
using Shorts = std::uint16_t __attribute__((vector_size(16)));

inline Bytes take(const std::uint8_t* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}
inline void put(std::uint8_t* to, Bytes bytes) { std::memcpy(to, &bytes, sizeof bytes); }
inline Bytes all(std::uint8_t value) { return Bytes{} + value; }
inline Bytes equal(Bytes bytes, std::uint8_t value) { return Bytes(bytes == all(value)); }
inline Bytes high_nibbles(Bytes bytes) { return Bytes(Shorts(bytes) >> 4) & all(15); }

// Packs a comparison result into one bit per byte.
inline std::uint32_t bits_of(Bytes mask) {
#if defined(__SSE2__)
  return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(mask)));
#elif defined(__wasm_simd128__)
  return wasm_i8x16_bitmask(reinterpret_cast<v128_t>(mask));
#else
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < width; ++i) bits |= (mask[i] & 1U) << i;
  return bits;
#endif
}

inline std::int32_t sum_of(Bytes bytes) {
  std::int32_t sum = 0;
#if defined(__SSE2__)
  const __m128i halves = _mm_sad_epu8(reinterpret_cast<__m128i>(bytes), _mm_setzero_si128());
  sum = _mm_cvtsi128_si32(halves) + _mm_cvtsi128_si32(_mm_srli_si128(halves, 8));
#else
  for (std::size_t i = 0; i < width; ++i) sum += bytes[i];
#endif
  return sum;
}

// Adds a number to each of three consecutive bytes; none may overflow.
inline void add_to_three(std::uint8_t* bytes, int number) {
  constexpr std::uint32_t ones =
      std::endian::native == std::endian::little ? 0x00010101 : 0x01010100;
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  word += ones * static_cast<std::uint32_t>(number);
  std::memcpy(bytes, &word, sizeof word);
}

// Calls f(i) for every set bit i.
template <class F>
void each_bit(std::uint32_t bits, F&& f) {
  for (; bits; bits &= bits - 1) f(std::countr_zero(bits));
}

// The given bit of each of three consecutive bytes, the first byte's lowest. Reads a fourth byte.
inline std::uint32_t three_bits(const std::uint8_t* bytes, std::uint32_t bit) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return ((word >> bit & 0x010101) * 0x4081) >> 14 & 7;  // moves bits 0, 8, 16 next to each other
  } else {
    return (bytes[0] >> bit & 1U) | (bytes[1] >> bit & 1U) << 1 | (bytes[2] >> bit & 1U) << 2;
  }
}

// The given bit of each byte of the 3x3 square around `middle`, in rows `stride` apart, row by row
// from the lowest bit.
inline std::uint32_t square_bits(const std::uint8_t* middle, std::int32_t stride,
                                 std::uint32_t bit) {
  return three_bits(middle - stride - 1, bit) | three_bits(middle - 1, bit) << 3 |
         three_bits(middle + stride - 1, bit) << 6;
}

}  // namespace mineproof::lanes
