// Fills the fields of a new policy from a policy that fits the table's columns and foreign keys.
import { type ReactElement, useState } from 'react'
import { usePolicyTemplates } from '../../../api/explain.ts'
import { FormField } from '../../../ui/form.tsx'
import { Select } from '../../../ui/select.tsx'
import { EDITOR } from '../texts.ts'
import { draftOf } from './draft-of.ts'
import type { PolicyDraft } from './policy-statements.ts'

export function TemplateChoice(props: {
  readonly tenant: string
  readonly table: string
  readonly onChoose: (draft: PolicyDraft) => void
}): ReactElement {
  const { onChoose, table, tenant } = props
  const templates = usePolicyTemplates(tenant, table).data?.templates ?? []
  const [chosen, setChosen] = useState<string>()
  return (
    <FormField label={EDITOR.template.label}>
      <Select
        label="Template"
        value={chosen ?? null}
        placeholder={EDITOR.template.none}
        isDisabled={templates.length === 0}
        options={templates.map(({ title }) => ({ value: title, label: title }))}
        onChange={(title) => {
          const template = templates.find((one) => one.title === title)
          if (template === undefined) return
          setChosen(title)
          onChoose(draftOf(template.policy))
        }}
        className="w-full"
      />
    </FormField>
  )
}
