# SPDX-License-Identifier: MIT
# sign.ps1 FILE … - signs programs or installers on Windows with a time stamp. It has never been run: no certificate exists yet.
# WINDOWS_CERTIFICATE is the path of a .pfx file and WINDOWS_CERTIFICATE_PASSWORD its password.
# Reference: https://learn.microsoft.com/windows/win32/seccrypto/signtool
$ErrorActionPreference = 'Stop'
foreach ($name in 'WINDOWS_CERTIFICATE', 'WINDOWS_CERTIFICATE_PASSWORD') {
    if (-not [Environment]::GetEnvironmentVariable($name)) { throw "sign: the variable $name is not set" }
}
if ($args.Count -eq 0) { throw 'sign: name the files to sign' }
& signtool.exe sign /fd SHA256 /td SHA256 /tr http://timestamp.digicert.com /f $env:WINDOWS_CERTIFICATE /p $env:WINDOWS_CERTIFICATE_PASSWORD @args
if ($LASTEXITCODE -ne 0) { throw "sign: signtool failed with status $LASTEXITCODE" }
& signtool.exe verify /pa @args
if ($LASTEXITCODE -ne 0) { throw "sign: a signature could not be verified" }
