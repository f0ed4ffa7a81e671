# Writes the definitions behind rigidlimit/cli/embedded_pages.hpp: pages of docs/ as raw strings.
# Called as cmake -DDOCS=… -DOUTPUT=… -P embed_pages.cmake.
cmake_minimum_required(VERSION 3.25)
file(WRITE "${OUTPUT}" "#include \"rigidlimit/cli/embedded_pages.hpp\"\n\nnamespace rigidlimit {\n")
foreach(page verdicts help)
  file(READ "${DOCS}/${page}.md" text)
  if(text MATCHES "[)]markdown\"")
    message(FATAL_ERROR "${DOCS}/${page}.md contains the end of a raw string, )markdown\"")
  endif()
  file(APPEND "${OUTPUT}" "\nconst char* const ${page}_page = R\"markdown(${text})markdown\";\n")
endforeach()
file(APPEND "${OUTPUT}" "\n}  // namespace rigidlimit\n")
