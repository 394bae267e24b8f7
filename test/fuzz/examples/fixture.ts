// Cases that failed once.
import type { FixtureCase } from '../targets/fixture.ts'

export const FIXTURE_EXAMPLES: Readonly<Record<string, FixtureCase>> = {}
