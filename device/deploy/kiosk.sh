#!/bin/sh
# Opens the terminal's page. Its address is made from the secret that systemd hands over, so nobody has to copy it.
set -eu
token=$(base64 -w0 < "$CREDENTIALS_DIRECTORY/page.key" | tr '+/' '-_')
exec chromium --kiosk --ozone-platform=wayland --noerrdialogs --disable-pinch --overscroll-history-navigation=0 \
  --incognito --no-first-run "http://127.0.0.1:4101/#token=$token"
