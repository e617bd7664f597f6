; SPDX-License-Identifier: MIT
; Model files open in the window. Both endings get it among the programs of "Open with"; it becomes the one for a double click only where
; no other program has the ending, and only where the user says so: in a silent installation by /ASSOCIATE.
; https://learn.microsoft.com/windows/win32/shell/how-to-register-a-file-type-for-a-new-application

!include FileFunc.nsh

!define MODEL_TYPE "Weighbridge.Model"

!macro AddAssociations
  WriteRegStr HKLM "Software\Classes\${MODEL_TYPE}" "" "Model"
  WriteRegStr HKLM "Software\Classes\${MODEL_TYPE}\DefaultIcon" "" "$INSTDIR\bin\weighbridge.exe,0"
  WriteRegStr HKLM "Software\Classes\${MODEL_TYPE}\shell\open\command" "" '"$INSTDIR\bin\weighbridge.exe" "%1"'
  !insertmacro OfferFor ".gguf"
  !insertmacro OfferFor ".safetensors"
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/ASSOCIATE" $R1
  IfErrors 0 take
  MessageBox MB_YESNO "Open .gguf and .safetensors files with Weighbridge by a double click?" /SD IDNO IDYES take
  Goto told
take:
  !insertmacro TakeOver ".gguf"
  !insertmacro TakeOver ".safetensors"
told:
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

!macro OfferFor ending
  WriteRegStr HKLM "Software\Classes\${ending}\OpenWithProgids" "${MODEL_TYPE}" ""
!macroend

!macro TakeOver ending
  ReadRegStr $R2 HKLM "Software\Classes\${ending}" ""
  StrCmp $R2 "" 0 +2
  WriteRegStr HKLM "Software\Classes\${ending}" "" "${MODEL_TYPE}"
!macroend

!macro RemoveAssociations
  DeleteRegKey HKLM "Software\Classes\${MODEL_TYPE}"
  !insertmacro Withdraw ".gguf"
  !insertmacro Withdraw ".safetensors"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

!macro Withdraw ending
  ReadRegStr $R2 HKLM "Software\Classes\${ending}" ""
  StrCmp $R2 "${MODEL_TYPE}" 0 +2
  DeleteRegValue HKLM "Software\Classes\${ending}" ""
  DeleteRegValue HKLM "Software\Classes\${ending}\OpenWithProgids" "${MODEL_TYPE}"
  DeleteRegKey /ifempty HKLM "Software\Classes\${ending}\OpenWithProgids"
  DeleteRegKey /ifempty HKLM "Software\Classes\${ending}"
!macroend
