// Every operation of /_emulator/v1 by name, with the types of its inputs and answer.
import type { z } from 'zod'
import * as activity from './activity.ts'
import * as addresses from './addresses.ts'
import * as audit from './audit.ts'
import * as authSettings from './auth-settings.ts'
import * as bundles from './bundles.ts'
import * as changes from './changes.ts'
import * as clock from './clock.ts'
import * as comparisons from './comparisons.ts'
import * as drift from './drift.ts'
import * as events from './events.ts'
import * as explain from './explain.ts'
import * as exposureContract from './exposure-contract.ts'
import * as faults from './faults.ts'
import * as fixtures from './fixtures.ts'
import * as fleet from './fleet.ts'
import * as history from './history.ts'
import * as home from './home.ts'
import * as identities from './identities.ts'
import * as journal from './journal.ts'
import * as mailbox from './mailbox.ts'
import * as migrations from './migrations.ts'
import type { Operation, ParamName, Shape } from './operation.ts'
import * as overview from './overview.ts'
import * as policyDrafts from './policy-drafts.ts'
import * as queryPlans from './query-plans.ts'
import * as readableTables from './readable-tables.ts'
import * as realtime from './realtime.ts'
import * as recording from './recording.ts'
import * as rehearsals from './rehearsals.ts'
import * as s3Keys from './s3-keys.ts'
import * as snapshots from './snapshots.ts'
import * as sqlConsole from './sql-console.ts'
import * as storage from './storage.ts'
import * as suggestedFixes from './suggested-fixes.ts'
import * as switches from './switches.ts'
import * as tables from './tables.ts'
import * as tokens from './tokens.ts'
import * as users from './users.ts'
import * as values from './values.ts'

export const OPERATIONS = {
  ...overview.OVERVIEW_OPERATIONS,
  ...home.HOME_OPERATIONS,
  ...events.EVENT_OPERATIONS,
  ...clock.CLOCK_OPERATIONS,
  ...faults.FAULT_OPERATIONS,
  ...fixtures.FIXTURE_OPERATIONS,
  ...fixtures.STEP_FOLDER_OPERATIONS,
  ...fixtures.QUERY_OPERATIONS,
  ...migrations.MIGRATION_OPERATIONS,
  ...fleet.FLEET_OPERATIONS,
  ...rehearsals.REHEARSAL_OPERATIONS,
  ...changes.CHANGE_OPERATIONS,
  ...changes.LAST_CHANGE_OPERATIONS,
  ...drift.DRIFT_OPERATIONS,
  ...snapshots.SNAPSHOT_OPERATIONS,
  ...bundles.BUNDLE_OPERATIONS,
  ...tokens.PRINCIPAL_OPERATIONS,
  ...tokens.TOKEN_OPERATIONS,
  ...journal.JOURNAL_OPERATIONS,
  ...journal.REFUSAL_OPERATIONS,
  ...recording.RECORDING_OPERATIONS,
  ...comparisons.COMPARISON_OPERATIONS,
  ...explain.CHAIN_OPERATIONS,
  ...mailbox.MAILBOX_OPERATIONS,
  ...switches.SWITCH_OPERATIONS,
  ...authSettings.AUTH_SETTINGS_OPERATIONS,
  ...users.USER_OPERATIONS,
  ...activity.ACTIVITY_OPERATIONS,
  ...history.HISTORY_OPERATIONS,
  ...s3Keys.S3_KEY_OPERATIONS,
  ...storage.STORAGE_OPERATIONS,
  ...realtime.REALTIME_OPERATIONS,
  ...identities.IDENTITY_OPERATIONS,
  ...explain.EXPLAIN_OPERATIONS,
  ...suggestedFixes.SUGGESTED_FIX_OPERATIONS,
  ...policyDrafts.DRAFT_OPERATIONS,
  ...readableTables.READABLE_OPERATIONS,
  ...audit.AUDIT_OPERATIONS,
  ...exposureContract.EXPOSURE_OPERATIONS,
  ...tables.TABLE_OPERATIONS,
  ...sqlConsole.SQL_OPERATIONS,
  ...queryPlans.PLAN_OPERATIONS,
  ...queryPlans.ADVICE_OPERATIONS,
  ...queryPlans.REQUEST_PLAN_OPERATIONS,
}

/** All files of schemas. The OpenAPI document lists each schema under its exported name. */
export const CONCEPTS: readonly object[] = [
  activity,
  addresses,
  audit,
  authSettings,
  bundles,
  changes,
  clock,
  comparisons,
  drift,
  events,
  explain,
  suggestedFixes,
  exposureContract,
  faults,
  fixtures,
  fleet,
  history,
  home,
  identities,
  journal,
  mailbox,
  migrations,
  rehearsals,
  overview,
  policyDrafts,
  queryPlans,
  readableTables,
  realtime,
  recording,
  s3Keys,
  snapshots,
  sqlConsole,
  storage,
  switches,
  tables,
  tokens,
  users,
  values,
]

type Operations = typeof OPERATIONS

/** For example `GET /projects/:ref/users`. */
export type OperationName = keyof Operations

/** Operations whose answer is JSON. */
export type JsonOperationName = {
  readonly [Name in OperationName]: Operations[Name]['answer'] extends z.ZodType ? Name : never
}[OperationName]

/** Type of an operation's answer. Includes `undefined` when the answer may be empty. */
export type Answer<Name extends JsonOperationName> =
  | (Operations[Name] extends { readonly answer: infer Schema extends z.ZodType }
      ? Shape<Schema>
      : never)
  | (Operations[Name] extends { readonly mayBeEmpty: true } ? undefined : never)

/** Path parameters, query and body of an operation. Each member is required when the operation requires it. */
export type Inputs<Name extends OperationName> = ParamInputs<Name> &
  QueryInputs<Operations[Name]> &
  BodyInputs<Operations[Name]>

type ParamInputs<Name extends string> = [ParamName<Name>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Readonly<Record<ParamName<Name>, string | number>> }

type QueryInputs<Stated extends Operation> = Stated extends {
  readonly query: infer Schema extends z.ZodType
}
  ? OptionalWhenEmpty<'query', Loose<z.input<Schema>>>
  : { readonly query?: undefined }

type BodyInputs<Stated extends Operation> = Stated extends {
  readonly body: infer Schema extends z.ZodType
}
  ? OptionalWhenEmpty<'body', Shape<Schema>>
  : { readonly body?: undefined }

/** Type of a call's last argument: `Inputs` and further options. The argument is optional when nothing in it is required. */
export type CallArguments<Name extends OperationName, Options = unknown> =
  object extends Inputs<Name> ? [inputs?: Inputs<Name> & Options] : [inputs: Inputs<Name> & Options]

type OptionalWhenEmpty<Member extends string, Value> = object extends Value
  ? { readonly [Name in Member]?: Value }
  : { readonly [Name in Member]: Value }

/** Allows `undefined` for each member; such members are left out of the query. */
type Loose<Value> = { readonly [Member in keyof Value]: Value[Member] | undefined }
