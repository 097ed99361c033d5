// SPDX-License-Identifier: Apache-2.0
#pragma once
#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>
