// Answers which rows statements of the owner would open and hide (contract/suggested-fixes.ts, FixEffectRequest).

import type { FixEffect } from '../../../contract/suggested-fixes.ts'
import type { RowCommand } from '../../../contract/values.ts'
import type { SchemaName } from '../../../core/names.ts'
import { SqlError } from '../../../database/engine.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { NewRow } from '../rows/make-new-rows.ts'
import { toFixEffect } from './effect.ts'
import { type EffectDeps, EffectMeter } from './measure-effect.ts'
import type { MeasuredIdentity } from './measured-identities.ts'

export interface EffectQuestion {
  readonly schemaName: SchemaName
  readonly sql: string
  readonly relation: string
  readonly command: RowCommand
  readonly newRow: NewRow | undefined
  readonly identities: readonly MeasuredIdentity[]
}

/** @throws {InspectorError} `invalid_request` when the statements fail */
export async function effectOf(deps: EffectDeps, question: EffectQuestion): Promise<FixEffect> {
  const { command, identities, newRow, relation, schemaName, sql } = question
  const meter = new EffectMeter(deps, schemaName)
  const statement = { command, newRow }
  const measured = await meter.measure({ sql, relation, statement, identities })
  if (measured instanceof SqlError)
    throw new InspectorError('invalid_request', `The statements fail: ${measured.message}`)
  return toFixEffect(measured, { relation, command, isOfRow: false, identities })
}
