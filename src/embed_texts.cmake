# Writes the definitions of constants declared in a header: the texts of files as raw strings.
# Called as cmake -DHEADER=… "-DTEXTS=CONSTANT=FILE;…" -DOUTPUT=… -P embed_texts.cmake.
cmake_minimum_required(VERSION 3.25)
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"\n\nnamespace rigidlimit {\n")
foreach(entry ${TEXTS})
  string(REGEX REPLACE "=.*" "" constant "${entry}")
  string(REGEX REPLACE "^[^=]*=" "" path "${entry}")
  file(READ "${path}" text)
  if(text MATCHES "[)]embedded\"")
    message(FATAL_ERROR "${path} contains the end of a raw string, )embedded\"")
  endif()
  file(APPEND "${OUTPUT}" "\nconst char* const ${constant} = R\"embedded(${text})embedded\";\n")
endforeach()
file(APPEND "${OUTPUT}" "\n}  // namespace rigidlimit\n")
