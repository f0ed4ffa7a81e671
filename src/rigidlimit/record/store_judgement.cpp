#include "rigidlimit/record/store_judgement.hpp"

#include <SQLiteCpp/Statement.h>

#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/record/store_rows.hpp"

namespace rigidlimit {

namespace {

void write_rows(const StudyResult& result, SQLite::Database& database) {
  database.exec("DELETE FROM errors");
  SQLite::Statement insert(
      database,
      "INSERT INTO errors VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const Series& series : result.series)
    for (const Row& row : series.rows) {
      insert.reset();
      int at = 1;
      for (const std::string& text :
           {result.study.name, std::string(result.study.system->info.name), row.law,
            row.rigid_solver, row.compliant_solver})
        insert.bind(at++, text);
      insert.bind(at++, row.epsilon);
      for (const char* name : {name_of(row.quantity), name_of(row.norm), name_of(row.window)})
        insert.bind(at++, name);
      for (const double value : {row.model_error, row.solver_error, row.reference_error, row.order,
                                 row.predicted_coefficient, row.ratio, row.ratio_error})
        insert.bind(at++, value);
      insert.bind(at++, name_of(row.verdict));
      insert.bind(at++, row.status);
      for (const long count :
           {row.work.steps, row.work.rejected_steps, row.work.rhs_evaluations,
            row.work.jacobian_evaluations, row.work.factorisations, row.work.newton_iterations})
        insert.bind(at++, static_cast<std::int64_t>(count));
      insert.exec();
    }
}

void write_curves(const StudyResult& result, SQLite::Database& database) {
  database.exec("DELETE FROM curves");
  SQLite::Statement insert(database,
                           "INSERT INTO curves VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
  for (const Curve& curve : result.curves) {
    insert.reset();
    insert.clearBindings();
    insert.bind(1, curve.subject);
    if (!curve.law.empty()) insert.bind(2, curve.law);
    if (!curve.solver.empty()) insert.bind(3, curve.solver);
    insert.bind(4, curve.epsilon);
    insert.bind(5, curve.name);
    insert.bind(6, curve.grid);
    bind_matrix(insert, 7, curve.values);
    insert.exec();
  }
}

void write_texts(const StudyResult& result, SQLite::Database& database) {
  SQLite::Statement insert(database, "INSERT OR REPLACE INTO texts VALUES (?1, ?2)");
  for (const auto& [name, format] : formats()) {
    insert.reset();
    insert.bind(1, name);
    insert.bind(2, formatted({result}, format, false));
    insert.exec();
  }
}

}  // namespace

void write_judgement(const std::string& json, bool complete, SQLite::Database& database) {
  SQLite::Statement text(database, "UPDATE study SET result = ?1, complete = ?2");
  text.bind(1, json);
  text.bind(2, complete ? 1 : 0);
  text.exec();
}

void write_judgement(const StudyResult& result, SQLite::Database& database) {
  write_rows(result, database);
  write_curves(result, database);
  write_texts(result, database);
  write_judgement(judgement_json(result), result.counts.missing == 0 && !result.interrupted,
                  database);
}

}  // namespace rigidlimit
