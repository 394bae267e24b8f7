// /_emulator/v1/fixtures: repeatable data.
//   GET  /fixtures               FixtureList: stories that come with the package and those in the fixtures folder
//   POST /fixtures/check         FixtureReference → FixtureReport; changes nothing
//   POST /fixtures/apply         FixtureReference → FixtureReport; all of it or nothing
//   GET  /fixtures/export        a fixture folder of the running platform, as a gzipped tar (`?groups=` names, comma-separated)
// Progress of a long apply comes as events of kind `fixture`.

export interface FixtureReference {
  /** Name of a listed fixture, or the absolute path of a fixture folder on this machine. */
  readonly fixture: string
}

export interface FixtureList {
  readonly fixtures: readonly {
    readonly name: string
    readonly title: string
    readonly path: string
    readonly is_applied: boolean
  }[]
}

export interface FixtureReport {
  readonly fixture: string
  readonly applied: boolean
  /** Every problem at once; empty when it can be applied. */
  readonly problems: readonly FixtureProblem[]
  readonly created: FixtureCounts
  readonly unchanged: FixtureCounts
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
  readonly tenants: number
  readonly users: number
  readonly buckets: number
  readonly objects: number
  readonly rows: number
}
