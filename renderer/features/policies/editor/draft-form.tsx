// The fields of a policy: name, command, kind, roles and conditions. An error of Postgres shows below the condition that caused
// it.
import type { ReactElement } from 'react'
import { ROLES, ROW_COMMANDS } from '../../../../emulator/contract/choices.ts'
import type { SqlFailure } from '../../../../emulator/contract/sql-console.ts'
import { useTableStructure } from '../../../api/tables.ts'
import { lineOf } from '../../../parts/line-of.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { CodeEditor } from '../../../ui/code-editor.tsx'
import { FormField } from '../../../ui/form.tsx'
import { plainOptionsOf } from '../../../ui/form-values.ts'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { EDITOR } from '../texts.ts'
import {
  CLAUSES,
  type Clause,
  type DraftStatements,
  type draftProblems,
  type PolicyDraft,
  placeOf,
} from './policy-statements.ts'

export interface DraftFormProps {
  readonly tenant: string
  readonly table: string
  readonly draft: PolicyDraft
  readonly edit: (fields: Partial<PolicyDraft>) => void
  readonly problems: ReturnType<typeof draftProblems>
  readonly statements: DraftStatements
  /** Why Postgres refuses the statements. */
  readonly error: SqlFailure | undefined
}

const COMMANDS = plainOptionsOf(['all', ...ROW_COMMANDS] as const)

export function DraftForm(props: DraftFormProps): ReactElement {
  const { draft, edit, problems } = props
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextField
        label="Name"
        isMono
        value={draft.name}
        onChange={(name) => edit({ name })}
        error={problems.name}
      />
      <div className="flex flex-wrap gap-4">
        <FormField label="Command">
          <Select
            label="Command of the policy"
            isMono
            value={draft.command}
            options={COMMANDS}
            onChange={(command) => edit({ command })}
            className="w-28"
          />
        </FormField>
        <FormField label="Kind">
          <Select
            label="Kind of the policy"
            value={draft.permissive ? 'permissive' : 'restrictive'}
            options={EDITOR.kinds}
            onChange={(kind) => edit({ permissive: kind === 'permissive' })}
            className="w-36"
          />
        </FormField>
      </div>
      <Roles {...props} />
      {CLAUSES[draft.command].map((clause) => (
        <ClauseField key={clause} {...props} clause={clause} />
      ))}
    </div>
  )
}

function Roles({ draft, edit, problems }: DraftFormProps): ReactElement {
  const known = [...new Set(['public', ...ROLES, ...draft.roles])]
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="pb-1 text-small text-ink-dim">Roles</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {known.map((role) => (
          <Checkbox
            key={role}
            label={role === 'public' ? EDITOR.everyRole : role}
            isChecked={draft.roles.includes(role)}
            onChange={(isChecked) => edit({ roles: toggled(draft.roles, role, isChecked) })}
          />
        ))}
      </div>
      {problems.roles !== undefined && <p className="text-small text-refused">{problems.roles}</p>}
    </fieldset>
  )
}

// PUBLIC means all roles, so Postgres ignores other roles beside PUBLIC.
function toggled(roles: readonly string[], role: string, isChecked: boolean): readonly string[] {
  if (!isChecked) return roles.filter((one) => one !== role)
  return role === 'public' ? [role] : [...roles.filter((one) => one !== 'public'), role]
}

function ClauseField(props: DraftFormProps & { readonly clause: Clause }): ReactElement {
  const { clause, draft, edit, error, problems, statements, table, tenant } = props
  const columns = useTableStructure(tenant, table).data?.columns ?? []
  const place = error === undefined ? undefined : placeOf(statements, error)
  const isHere = error !== undefined && place?.clause === clause
  const note =
    problems[clause] ?? (isHere ? errorText(draft[clause], place.at, error.message) : undefined)
  const { hint, label } = EDITOR.clauses[clause]
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-small text-ink-dim">
        <span className="font-mono uppercase">{label}</span> · {hint}
      </span>
      <div className="flex h-24 resize-y overflow-hidden rounded-1 border border-line-strong bg-surface-0">
        <CodeEditor
          label={label}
          language="sql"
          value={draft[clause]}
          words={WORDS}
          schema={Object.fromEntries(columns.map(({ name }) => [name, []]))}
          onChange={(text) => edit({ [clause]: text })}
          mark={
            isHere && place.at !== undefined ? { at: place.at, message: error.message } : undefined
          }
        />
      </div>
      {note !== undefined && (
        <p role="alert" className="text-small break-words text-refused">
          {note}
        </p>
      )}
    </div>
  )
}

const WORDS = ['auth.uid', 'auth.jwt', 'auth.role']

function errorText(text: string, at: number | undefined, message: string): string {
  if (at === undefined) return message
  const { column, line } = lineOf(text, at)
  return `${message} (line ${line}, column ${column})`
}
