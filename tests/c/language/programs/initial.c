// Initial values: compound literals, and strings in braces, as assertions that all hold.
#include <assert.h>
struct pair { int a, b; union { int c; long d; } u; };
#define INIT (struct pair){ 1, 2, { .d = 5 } }
static struct pair one = INIT;
struct pair two = (struct pair){ .b = 4 };
static struct pair many[2] = { INIT, (struct pair){7} };
struct { struct pair in; int k; } nested = { INIT, 3 };
static int number = (int){3}, numbers[] = (int[]){1, 2, 3};
static const char text[] = (char[]){"ab"};
struct where { struct pair *pair; const int *numbers; char *text; };
static struct where where = { &(struct pair){1, 2}, (int[]){5, 6}, (char[]){"cd"} };
static struct where *there = &(struct where){ &(struct pair){8}, &(const int){9}, "ef" };
static char word[] = {"three"}, wider[8] = {"xy"}, narrow[2] = {"uv"};
struct { char name[4]; int k; } named = { {"abc"}, 4 }, names[] = { { {"a"}, 1 }, { "b", 2 } };
int main(void) {
  static struct pair inner = INIT;
  char local[] = {"abc"}, padded[6] = {"de"}, plain[] = "g";
  struct { char name[4]; int k; } own = { {"hi"}, 5 };
  assert(one.a == 1 && one.b == 2 && one.u.d == 5);
  assert(two.a == 0 && two.b == 4);
  assert(many[0].b == 2 && many[1].a == 7 && many[1].u.d == 0);
  assert(nested.k == 3 && nested.in.u.d == 5);
  assert(number == 3 && sizeof numbers == 12 && numbers[2] == 3);
  assert(inner.b == 2 && inner.u.c == 5);
  assert(sizeof text == 3 && text[1] == 'b' && text[2] == 0);
  assert(where.pair->b == 2 && where.numbers[1] == 6 && where.text[1] == 'd');
  where.pair->a++;
  assert(where.pair->a == 2 && there->pair->a == 8 && *there->numbers == 9 && there->text[0] == 'e');
  assert(sizeof word == 6 && word[4] == 'e' && word[5] == 0);
  assert(wider[1] == 'y' && wider[2] == 0 && wider[7] == 0 && narrow[1] == 'v');
  assert(named.name[2] == 'c' && named.name[3] == 0 && named.k == 4);
  assert(names[0].name[0] == 'a' && names[0].k == 1 && names[1].name[0] == 'b' && names[1].name[1] == 0);
  assert(sizeof local == 4 && local[2] == 'c' && local[3] == 0);
  assert(padded[1] == 'e' && padded[2] == 0 && padded[5] == 0 && sizeof plain == 2);
  assert(own.name[1] == 'i' && own.name[2] == 0 && own.k == 5);
}
