// The application folder that `tenantry pull` makes: fixture.yaml, the first migration step and rows. Pure.
import { stringify } from 'yaml'
import { escapeReferences } from '../../../workflow/fixtures/apply/rows/references.ts'
import type { FixtureInput } from '../../../workflow/fixtures/read/fixture-shape.ts'
import { FIXTURE_FILE } from '../../../workflow/fixtures/read/open-fixture.ts'
import type { PulledProject } from '../../../workflow/migrations/pull/pull-project.ts'

/**
 * @param version timestamp of 14 digits for the step
 * @param schemaLine first line of `fixture.yaml`
 */
export function pulledApplication(
  pulled: PulledProject,
  version: string,
  schemaLine: string,
): readonly (readonly [string, string])[] {
  const rows = pulled.rows.map(({ rows: list, table }): readonly [string, string] => [
    rowsFile(table),
    escapeReferences(`[\n${list.map((row) => `  ${row}`).join(',\n')}\n]\n`),
  ])
  return [
    [FIXTURE_FILE, `${schemaLine}\n${yamlOf(pulled)}`],
    [`migrations/${version}_pulled.sql`, pulled.step],
    ...rows,
  ]
}

function rowsFile(table: string): string {
  return `rows/${encodeURIComponent(table)}.json`
}

type GroupInput = NonNullable<FixtureInput['groups']>[number]

function yamlOf(pulled: PulledProject): string {
  const { buckets, group, rows, slug, users } = pulled
  const template: GroupInput['template'] = {
    slug,
    migrations: 'migrations',
    migrate_tenants: true,
    ...(users.length === 0 ? {} : { users: users as GroupInput['template']['users'] }),
    ...(rows.length === 0
      ? {}
      : {
          rows: Object.fromEntries(rows.map(({ table }) => [table, rowsFile(table)])),
          fire_triggers: false,
        }),
    ...(buckets.length === 0 ? {} : { buckets: buckets as GroupInput['template']['buckets'] }),
  }
  const definition: FixtureInput = {
    title: group?.name ?? slug,
    groups: [
      {
        name: group?.name ?? slug,
        template,
        ...(group === undefined ? {} : { tenants: group.tenants as GroupInput['tenants'] }),
      },
    ],
  }
  return `# The application of the project ${slug}, made by "tenantry pull".\n${stringify(definition, { lineWidth: 120 })}`
}
