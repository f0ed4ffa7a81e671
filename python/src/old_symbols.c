// Versions of two functions that older platforms have, for a wheel (linked with --wrap).
//
// The linker takes the newest versions, hypot@GLIBC_2.35 and condition_variable::wait@GLIBCXX_3.4.30, which manylinux_2_34
// lacks. Both are the functions of before in these libraries: hypot without the setting of errno, wait as noexcept.
double old_hypot(double x, double y);
__asm__(".symver old_hypot, hypot@GLIBC_2.2.5");

double __wrap_hypot(double x, double y);
double __wrap_hypot(double x, double y) {
  return old_hypot(x, y);
}

void old_wait(void* condition, void* lock);
__asm__(
    ".symver old_wait, _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");

void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void* condition, void* lock);
void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void* condition, void* lock) {
  old_wait(condition, lock);
}
