/** A day of the clock: a day of the calendar is an hour more or less where clocks change. */
export const dayMs = 86_400_000;
