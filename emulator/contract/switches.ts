// GET and PUT /_emulator/v1/projects/:ref/switches: situations of the hosted platform that cannot arise by themselves here.

export interface SwitchState {
  readonly project_id: string
  readonly schema_name: string
  /** Names of the switches that are on. */
  readonly on: readonly string[]
  /** Every switch there is, with the answer it produces. */
  readonly available: Readonly<Record<string, string>>
}
