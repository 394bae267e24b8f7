// Changes of a structure or of policies that the inspector tries, rehearses, applies and undoes. When `tenantry dev` follows a
// folder, a change is a migration step for a template and all its tenants. Otherwise the change runs in one project.
import { z } from 'zod'
import { IdentityReference } from './identities.ts'
import { FixtureProblemOfSteps, MigrationResult } from './migrations.ts'
import type { OperationTable, Shape } from './operation.ts'
import { ProjectRehearsal } from './rehearsals.ts'

export const ChangeOrder = z.strictObject({
  title: z.string().min(1).max(200).describe('Names the step, e.g. `Let members see rooms`'),
  sql: z.string().min(1).max(1_048_576).describe("Statements of the project's owner"),
  reach: z
    .enum(['project', 'all'])
    .describe(
      '`project`: the statements run in this project, and no step records them. `all`: they become a step of the followed folder, for the template and all its tenants',
    ),
  recorded_in: z
    .array(z.string())
    .default([])
    .describe(
      'Slugs of tenants that have the change already. The step is recorded there and does not run',
    ),
  identity: z
    .exactOptional(IdentityReference)
    .describe('A user of the project whose visible rows are compared, too'),
})
export type ChangeOrder = Shape<typeof ChangeOrder>

export const ChangedProject = ProjectRehearsal.extend({
  compared: z
    .array(z.string())
    .describe('Labels of the identities whose visible rows were compared'),
  users: z.int().describe('Number of users of the project'),
})
export type ChangedProject = Shape<typeof ChangedProject>

export const ChangeRehearsal = z.object({
  ok: z.boolean(),
  file: z
    .string()
    .nullable()
    .describe('Name that the step would get now; `null` for a change of one project'),
  projects: z
    .array(ChangedProject)
    .describe('The project; or the template, and then its tenants, the oldest first'),
  fixture_problem: FixtureProblemOfSteps,
  duration_ms: z.number(),
})
export type ChangeRehearsal = Shape<typeof ChangeRehearsal>

export const AppliedChange = z.object({
  ok: z.boolean(),
  path: z.string().nullable().describe('Absolute path of the step; `null` when none was written'),
  snapshot: z
    .string()
    .nullable()
    .describe('Snapshot of the whole platform before the change; `null` when nothing changed'),
  projects: z.array(MigrationResult).describe('As in a rehearsal'),
  fixture_problem: FixtureProblemOfSteps,
})
export type AppliedChange = Shape<typeof AppliedChange>

export const LastChange = z.object({
  change: z
    .object({
      project: z.string().describe('Slug of the project in which the change was tried'),
      title: z.string(),
      answer: AppliedChange,
    })
    .nullable()
    .describe('`null` when no change was applied since the start, or the last one was undone'),
})
export type LastChange = Shape<typeof LastChange>

export const ChangeUndoOrder = z.strictObject({
  snapshot: z.string().describe('The snapshot of the last applied change'),
  losing: z
    .int()
    .min(0)
    .default(0)
    .describe('How many later changes may be lost, as an earlier answer counted them'),
})
export type ChangeUndoOrder = Shape<typeof ChangeUndoOrder>

export const ChangeUndo = z.object({
  undone: z.boolean().describe('False when more would be lost than `losing` allows'),
  later: z
    .int()
    .describe('Rows, files, structures and projects that changed after the change was applied'),
  sentence: z.string().nullable().describe('What they are; `null` when nothing changed since'),
  removed: z.string().nullable().describe('Path of the step that was removed'),
})
export type ChangeUndo = Shape<typeof ChangeUndo>

export const LAST_CHANGE_OPERATIONS = {
  'GET /changes/last': {
    summary: 'Shows the change that can be undone.',
    answer: LastChange,
  },
} as const satisfies OperationTable

export const CHANGE_OPERATIONS = {
  'POST /projects/:ref/changes/rehearse': {
    summary:
      'Runs statements of the owner in a project, or as a step in a template and its tenants, compares visible rows, and rolls back.',
    body: ChangeOrder,
    answer: ChangeRehearsal,
  },
  'POST /projects/:ref/changes/apply': {
    summary:
      'Saves a snapshot, and applies statements of the owner to a project, or as a step to a template and all its tenants. Requests wait meanwhile.',
    body: ChangeOrder,
    answer: AppliedChange,
  },
  'POST /projects/:ref/changes/undo': {
    summary:
      'Restores the snapshot before the last applied change, and removes its step. Restores nothing while that would lose later changes that `losing` does not allow.',
    body: ChangeUndoOrder,
    answer: ChangeUndo,
  },
} as const satisfies OperationTable
