#pragma once
#define FRIEND_TEST(S, N) friend class S##_##N##_Test
