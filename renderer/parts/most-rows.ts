// How many rows a list of a table contains at most.
import { formatNumber } from '../ui/format.ts'

/** The most rows that one API response contains. */
export const MOST_ROWS = 10_000

/** The rows that a longer table lists: `first 10,000`. */
export const FIRST_LISTED: string = `first ${formatNumber(MOST_ROWS)}`
