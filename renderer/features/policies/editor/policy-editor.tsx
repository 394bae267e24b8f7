// Creates, changes and drops a policy, and switches row-level security of a table. Shows the effect before anything is saved.
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react'
import type { SqlFailure } from '../../../../emulator/contract/sql-console.ts'
import type { RowCommand } from '../../../../emulator/contract/values.ts'
import { useIdentities } from '../../../api/explain.ts'
import { useActingAs } from '../../../parts/acting-as.ts'
import { ChangeButton } from '../../../parts/change/change-button.tsx'
import type { RowCells } from '../../../parts/row-form.tsx'
import { RunnableSql } from '../../../parts/sql-actions.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { firstField } from '../../../ui/first-field.ts'
import { Splitter } from '../../../ui/splitter.tsx'
import { useNarrowWindow } from '../../../ui/window-width.ts'
import { type JudgedIdentity, judgedIdentities, MATRIX_ROWS } from '../judged-identities.ts'
import { changeTitle, EDITOR, editTitle, rowSecurityText, unknownPolicyText } from '../texts.ts'
import type { PoliciesAddress, PolicyEdit } from '../use-policies-address.ts'
import { DraftForm } from './draft-form.tsx'
import { draftOf, newDraft } from './draft-of.ts'
import { DraftView } from './draft-view.tsx'
import { keepDraft, keptDraft } from './kept-drafts.ts'
import { NewRowForm } from './new-row-form.tsx'
import {
  type DraftStatements,
  draftProblems,
  draftStatements,
  dropStatement,
  type Policy,
  type PolicyDraft,
  type PolicyTable,
  placeOf,
  rowSecurityStatement,
} from './policy-statements.ts'
import { TemplateChoice } from './template-choice.tsx'
import { useDraft } from './use-draft.ts'

const MAX_USERS = 6

export interface PolicyEditorProps {
  readonly address: PoliciesAddress
  readonly table: PolicyTable
  readonly edit: PolicyEdit
}

export function PolicyEditor(props: PolicyEditorProps): ReactElement {
  const { edit, table } = props
  const policy = table.policies.find(({ name }) => name === edit.policy)
  if (policy === undefined && (edit.kind === 'change' || edit.kind === 'drop'))
    return (
      <EmptyState title="Policy not found" detail={unknownPolicyText(table.name, edit.policy)} />
    )
  return edit.kind === 'create' || edit.kind === 'change' ? (
    <FieldsEditor {...props} policy={policy} />
  ) : (
    <SwitchEditor {...props} />
  )
}

function FieldsEditor(
  props: PolicyEditorProps & { readonly policy: Policy | undefined },
): ReactElement {
  const { address, policy, table } = props
  const former = useMemo(() => policy && draftOf(policy), [policy])
  const place = { tenant: address.tenant, table: table.name, policy: policy?.name }
  const kept = keptDraft(place)
  const [draft, setDraft] = useState<PolicyDraft>(() => kept ?? former ?? newDraft(table))
  const [isTouched, setTouched] = useState(kept !== undefined)
  const change = (fields: Partial<PolicyDraft>) => {
    setTouched(true)
    const next = { ...draft, ...fields }
    setDraft(next)
    keepDraft(place, next)
  }
  const problems = draftProblems(table, former, draft)
  const isReady = Object.keys(problems).length === 0
  const statements = draftStatements(table.name, former, draft)
  return (
    <Editor
      {...props}
      statements={statements}
      isReady={isReady}
      judged={draft.command === 'all' ? 'select' : draft.command}
      onClose={() => {
        keepDraft(place, undefined)
        address.edit(undefined)
      }}
    >
      {(error) => (
        <>
          {policy === undefined && (
            <TemplateChoice tenant={address.tenant} table={table.name} onChoose={change} />
          )}
          <DraftForm
            tenant={address.tenant}
            table={table.name}
            draft={draft}
            edit={change}
            problems={isTouched ? problems : {}}
            statements={statements}
            error={error}
          />
        </>
      )}
    </Editor>
  )
}

/** The editor that drops a policy or switches row-level security. These statements need no fields. */
function SwitchEditor(props: PolicyEditorProps): ReactElement {
  const { edit, table } = props
  const sql =
    edit.kind === 'drop'
      ? dropStatement(table.name, edit.policy ?? '')
      : rowSecurityStatement(table.name, !table.rls_enabled)
  return (
    <Editor
      {...props}
      statements={{ sql, places: {} }}
      isReady
      judged="select"
      onClose={() => props.address.edit(undefined)}
    >
      {() => <p>{edit.kind === 'drop' ? EDITOR.drop : rowSecurityText(!table.rls_enabled)}</p>}
    </Editor>
  )
}

function Editor(
  props: PolicyEditorProps & {
    readonly statements: DraftStatements
    readonly isReady: boolean
    /** The command for which the matrix first shows verdicts. */
    readonly judged: RowCommand
    /** Called when the change was applied or cancelled. */
    readonly onClose: () => void
    readonly children: (error: SqlFailure | undefined) => ReactElement
  },
): ReactElement {
  const { address, children, edit, isReady, judged: usual, onClose, statements, table } = props
  const { tenant } = address
  const [chosen, setChosen] = useState<RowCommand>()
  const [newRow, setNewRow] = useState<RowCells>({})
  const command = chosen ?? usual
  const identities = useJudgedIdentities(tenant)
  const sql = isReady ? statements.sql : undefined
  const judged = useDraft(
    tenant,
    sql,
    identities.length === 0
      ? undefined
      : {
          relation: table.name,
          command,
          identities: identities.map(({ reference }) => reference),
          limit: MATRIX_ROWS,
          ...(command === 'insert' ? { new_row: newRow } : {}),
        },
  )
  const { error } = judged
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => firstField(form.current)?.focus(), [])
  const axis = useNarrowWindow() ? 'y' : 'x'
  return (
    <Splitter
      label="Resize the form of the policy"
      name={`policy.${axis}`}
      axis={axis}
      initial={400}
      min={200}
      first={
        <form
          ref={form}
          aria-label={editTitle(edit, table.rls_enabled)}
          className="grid min-h-0 flex-1 auto-rows-min grid-cols-1 gap-4 overflow-auto p-4"
          onSubmit={(event) => event.preventDefault()}
        >
          <h2 className="font-strong">{editTitle(edit, table.rls_enabled)}</h2>
          {children(error)}
          {error !== undefined && placeOf(statements, error) === undefined && (
            <p role="alert" className="break-words text-refused">
              {error.message}
            </p>
          )}
          {sql !== undefined && sql !== '' && (
            <RunnableSql tenant={tenant} sql={sql} label="statements" />
          )}
          <div className="flex justify-end gap-2">
            <Button size="small" tone="quiet" onClick={onClose}>
              Cancel
            </Button>
            <ChangeButton
              label={EDITOR.save}
              isDisabled={sql === undefined || sql === '' || error !== undefined}
              change={{
                tenant,
                title: changeTitle(edit, table),
                statements: sql === undefined ? [] : [sql],
                onApplied: onClose,
              }}
            />
          </div>
        </form>
      }
      second={
        <DraftView
          judged={judged}
          command={command}
          onCommand={setChosen}
          labels={identities.map(({ label }) => label)}
        >
          {command === 'insert' && (
            <NewRowForm tenant={tenant} table={table.name} newRow={newRow} onJudge={setNewRow} />
          )}
        </DraftView>
      }
    />
  )
}

function useJudgedIdentities(tenant: string): readonly JudgedIdentity[] {
  const { identity } = useActingAs()
  const choices = useIdentities(tenant).data
  return choices === undefined ? [] : judgedIdentities(choices, identity, MAX_USERS)
}
