// /_emulator/v1/fixtures: repeatable data.
//   GET  /fixtures               FixtureList: stories that come with the package and those in the fixtures folder
//   POST /fixtures/check         FixtureReference → FixtureReport; tries it and keeps nothing
//   POST /fixtures/apply         FixtureReference → FixtureReport; all of it or nothing
//   GET  /fixtures/export        a fixture of the running platform, as a gzipped tar (`?groups=` names, comma-separated)
// check and apply also take a bundle (`*.tenantry-fixture`) as their body, of type application/gzip.
// Progress of a long apply comes as events of kind `fixture`.

export interface FixtureReference {
  /** Name of a listed fixture, or the absolute path of a folder, a `fixture.yaml` or a bundle on this machine. */
  readonly fixture: string
}

export interface FixtureList {
  readonly fixtures: readonly FixtureSummary[]
}

export interface FixtureSummary {
  readonly name: string
  readonly title: string
  readonly description: string | null
  readonly path: string
  readonly is_applied: boolean
}

export interface FixtureReport {
  readonly fixture: string
  /** Everything it says is true now. A check never applies. */
  readonly applied: boolean
  /** Every problem at once; empty when it can be applied. */
  readonly problems: readonly FixtureProblem[]
  readonly created: FixtureCounts
  /** Found as the fixture says, and left as it is. */
  readonly unchanged: FixtureCounts
  /** Wall milliseconds. */
  readonly duration_ms: number
}

export interface FixtureProblem {
  readonly file: string
  /** 1-based; `null` where the file as a whole is meant. */
  readonly line: number | null
  /** e.g. `groups[0].tenants[1].users[0].email`. */
  readonly path: string
  readonly message: string
}

export interface FixtureCounts {
  readonly groups: number
  /** Templates, their versions and projects of their own. */
  readonly projects: number
  readonly tenants: number
  readonly users: number
  readonly buckets: number
  readonly objects: number
  readonly rows: number
  readonly faults: number
}
