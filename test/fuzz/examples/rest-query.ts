// Cases that failed once.
import type { RestCase } from '../targets/rest.ts'

export const REST_QUERY_EXAMPLES: Readonly<Record<string, RestCase>> = {}
