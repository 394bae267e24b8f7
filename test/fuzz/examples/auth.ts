// Cases that failed once.
import type { AuthCase } from '../targets/auth.ts'

export const AUTH_EXAMPLES: Readonly<Record<string, AuthCase>> = {}
