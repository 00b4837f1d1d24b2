/** `npm run soak` looks for rare cases; the usual run is the same every time. */
export const isSoakRun = process.env.MARGIN_DESK_SOAK === '1';
