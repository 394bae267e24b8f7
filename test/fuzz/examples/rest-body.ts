// Stored cases that once failed.
import type { RestCase } from '../targets/rest.ts'

export const REST_BODY_EXAMPLES: Readonly<Record<string, RestCase>> = {}
