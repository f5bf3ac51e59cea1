# Compiles to WebAssembly with the clang and the C++ library of the PyPI package ziglang.
# MINEPROOF_ZIG is its program.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MINEPROOF_ZIG)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER ${MINEPROOF_ZIG} c++)
set(CMAKE_CXX_FLAGS_INIT "-target wasm32-wasi -msimd128 -fno-exceptions")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-mexec-model=reactor -Wl,--strip-all -Wl,--gc-sections")
