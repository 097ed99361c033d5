// SPDX-License-Identifier: Apache-2.0
#ifndef CTOML_H
#define CTOML_H
#endif
