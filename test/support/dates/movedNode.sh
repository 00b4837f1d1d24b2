#!/bin/sh
# Stands for Node where VS Code's server starts an extension host.
export LD_PRELOAD="$MARGIN_DESK_FAKETIME"
exec "$MARGIN_DESK_NODE" --import "$(dirname "$0")/preload.mjs" "$@"
