// Runs migrations over the emulator's own API, and reads a group's fleet.
import {
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestGroup,
} from './test-emulator.ts'

/** A step's file with its name and text. */
export interface StepText {
  readonly file: string
  readonly sql: string
}

export const NOTES: StepText = {
  file: '20260101000000_notes.sql',
  sql: 'create table notes (id int primary key, title text);\nalter table notes enable row level security;\n',
}

type Operation = 'apply' | 'drift' | 'generate' | 'record' | 'rehearse' | 'status'

/** @param group name or id. @returns the answer's body and its status */
export async function migrate(
  at: Pick<TestEmulator, 'call'>,
  group: string,
  operation: Operation,
  body: object,
): Promise<Json> {
  const path = `/_emulator/v1/groups/${encodeURIComponent(group)}/migrations/${operation}`
  const answer = await at.call('POST', path, { body })
  return { ...answer.body, status: answer.status }
}

/**
 * Creates a group whose template has the first step, and tenants that are cloned from the template. Group and template have the
 * same name.
 */
export async function groupWith(
  at: TestEmulator,
  name: string,
  tenants: readonly string[] = [],
  first: StepText = NOTES,
): Promise<TestGroup> {
  const group = await createGroup(at, name)
  await migrate(at, name, 'apply', { steps: [first] })
  for (const tenant of tenants) await provisionTenant(at, group, tenant)
  return group
}

export async function fleetOf(at: TestEmulator, group: string): Promise<Json> {
  return (await at.call('GET', `/_emulator/v1/groups/${encodeURIComponent(group)}/fleet`)).body
}

/** Makes the emulator read users, sizes and structures of all projects, and then reads the fleet. */
export async function surveyFleet(at: TestEmulator, group: string): Promise<Json> {
  for (;;) {
    const path = `/_emulator/v1/groups/${encodeURIComponent(group)}/fleet/survey`
    const { body } = await at.call('POST', path)
    if (body.unread === 0) return fleetOf(at, group)
  }
}

/**
 * Reads the drift that the fleet screen shows for a template, a version or a tenant.
 * @param query such as `?allow_destructive=true`
 */
export async function fleetDriftOf(
  at: TestEmulator,
  group: string,
  slug: string,
  query = '',
): Promise<Json> {
  const path = `/_emulator/v1/groups/${encodeURIComponent(group)}/fleet/${slug}/drift${query}`
  return (await at.call('GET', path)).body
}
