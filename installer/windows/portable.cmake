# Run by CPack before it packs: the ZIP is the form that is carried around, with the folder in which the program keeps everything then
# (core/io/system/own_program.h). The installer has no such folder.
if(CPACK_GENERATOR STREQUAL "ZIP")
  file(WRITE "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/weighbridge-data/README.txt"
       "Settings, cache and models are kept in this folder. Without it they are kept in the folders of the user.\r\n")
endif()
