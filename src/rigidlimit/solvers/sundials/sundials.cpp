#include "rigidlimit/solvers/sundials/sundials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace rigidlimit::sundials {
namespace {

#if SUNDIALS_VERSION_MAJOR >= 7
void keep_message(int, const char*, const char*, const char* text, SUNErrCode, void* kept,
                  SUNContext) {
  static_cast<std::string*>(kept)->assign(text == nullptr ? "" : text);
}
#else
void keep_message(int, const char*, const char*, char* text, void* kept) {
  static_cast<std::string*>(kept)->assign(text);
}
#endif

}  // namespace

Context::Context() {
#if SUNDIALS_VERSION_MAJOR >= 7
  expect_success(SUNContext_Create(SUN_COMM_NULL, &context_), "SUNContext_Create");
  SUNContext_ClearErrHandlers(context_);  // the default one prints
  SUNContext_PushErrHandler(context_, keep_message, &last_message_);
#else
  expect_success(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
#endif
}

Context::~Context() {
  SUNContext_Free(&context_);
}

void Context::silence_cvode([[maybe_unused]] void* cvode) {
#if SUNDIALS_VERSION_MAJOR < 7
  expect_success(CVodeSetErrHandlerFn(cvode, keep_message, &last_message_), "CVodeSetErrHandlerFn");
#endif
}

void Context::silence_ida([[maybe_unused]] void* ida) {
#if SUNDIALS_VERSION_MAJOR < 7
  expect_success(IDASetErrHandlerFn(ida, keep_message, &last_message_), "IDASetErrHandlerFn");
#endif
}

void Context::silence_arkode([[maybe_unused]] void* arkode) {
#if SUNDIALS_VERSION_MAJOR < 7
  expect_success(ARKStepSetErrHandlerFn(arkode, keep_message, &last_message_),
                 "ARKStepSetErrHandlerFn");
#endif
}

void expect_success(int code, const char* call) {
  if (code != 0) throw std::logic_error(fmt::format("{} returned {}", call, code));
}

Owned<N_Vector> vector_of(const VectorXd& values, SUNContext context) {
  Owned<N_Vector> vector(made(N_VNew_Serial(values.size(), context)));
  map(vector.get()) = values;
  return vector;
}

Eigen::Map<VectorXd> map(N_Vector vector) {
  return {N_VGetArrayPointer(vector), static_cast<Index>(N_VGetLength(vector))};
}

Eigen::Map<MatrixXd> map(SUNMatrix matrix) {
  return {SUNDenseMatrix_Data(matrix), static_cast<Index>(SUNDenseMatrix_Rows(matrix)),
          static_cast<Index>(SUNDenseMatrix_Columns(matrix))};
}

Owned<SUNMatrix> matrix_of(const SparsePattern& pattern, SUNContext context) {
  Owned<SUNMatrix> matrix(
      made(SUNSparseMatrix(pattern.size, pattern.size, pattern.nonzeros(), CSC_MAT, context)));
  write_pattern(pattern, matrix.get());
  map_values(matrix.get()).setZero();
  return matrix;
}

void write_pattern(const SparsePattern& pattern, SUNMatrix matrix) {
  std::copy(pattern.starts.begin(), pattern.starts.end(), SUNSparseMatrix_IndexPointers(matrix));
  std::copy(pattern.rows.begin(), pattern.rows.end(), SUNSparseMatrix_IndexValues(matrix));
}

Eigen::Map<VectorXd> map_values(SUNMatrix matrix) {
  return {SUNSparseMatrix_Data(matrix), static_cast<Index>(SUNSparseMatrix_NNZ(matrix))};
}

long klu_nonzeros(SUNLinearSolver solver) {
  const auto* numeric = SUNLinSol_KLUGetNumeric(solver);
  if (numeric == nullptr) return 0;
  return static_cast<long>(numeric->lnz) + static_cast<long>(numeric->unz) +
         static_cast<long>(numeric->nzoff);
}

Outcome outcome_of(int code, bool met_not_finite) {
  static_assert(CV_TOO_MUCH_WORK == IDA_TOO_MUCH_WORK && IDA_TOO_MUCH_WORK == ARK_TOO_MUCH_WORK);
  static_assert(CV_TOO_MUCH_ACC == IDA_TOO_MUCH_ACC && IDA_TOO_MUCH_ACC == ARK_TOO_MUCH_ACC);
  static_assert(CV_ERR_FAILURE == IDA_ERR_FAIL && IDA_ERR_FAIL == ARK_ERR_FAILURE);
  static_assert(CV_CONV_FAILURE == IDA_CONV_FAIL && IDA_CONV_FAIL == ARK_CONV_FAILURE);
  static_assert(CV_LSETUP_FAIL == IDA_LSETUP_FAIL && IDA_LSETUP_FAIL == ARK_LSETUP_FAIL);
  static_assert(CV_LSOLVE_FAIL == IDA_LSOLVE_FAIL && IDA_LSOLVE_FAIL == ARK_LSOLVE_FAIL);
  switch (code) {
    case CV_TOO_MUCH_WORK: return Outcome::max_steps;
    case CV_TOO_MUCH_ACC: return Outcome::accuracy_limit;
    case CV_ERR_FAILURE: return Outcome::error_test_failure;
    case CV_CONV_FAILURE: return met_not_finite ? Outcome::not_finite : Outcome::newton_failure;
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: return Outcome::singular_matrix;
    default: return Outcome::solver_error;
  }
}

}  // namespace rigidlimit::sundials
