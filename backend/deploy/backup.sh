#!/bin/sh
# backup.sh FOLDER [DAYS]: writes a backup into FOLDER, proves that it can be restored, and only then removes those older
# than DAYS (default 30). BACKUP_PASSPHRASE_FILE encrypts it. Settings are those of the service, whose metrics then say when
# the last backup was proven: the time of the file backup-proven in its data folder.
set -eu
folder=${1:?backup.sh FOLDER [DAYS]}
days=${2:-30}
admin=${ADMIN:-"/usr/bin/node $(dirname "$0")/../../dist/admin/main.cjs"}
file="$folder/$(date -u +%Y%m%dT%H%M%SZ).backup"
$admin backup create --file "$file"
$admin backup verify --file "$file"
touch "${DATA:-.florin}/backup-proven"
find "$folder" -name '*.backup' -type f -mtime "+$days" -delete
