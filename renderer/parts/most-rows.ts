// The largest number of rows that a list of a table shows.
import { formatNumber } from '../ui/format.ts'

/** The largest number of rows in one API response. */
export const MOST_ROWS = 10_000

/** Label for a list that shows only a part of the rows: `first 10,000`. */
export const FIRST_LISTED: string = `first ${formatNumber(MOST_ROWS)}`
