// The kit: fields and editors.
import { type ReactElement, useState } from 'react'
import { Checkbox, Switch } from '../../ui/checkbox.tsx'
import { CodeEditor } from '../../ui/code-editor.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { TextField } from '../../ui/text-field.tsx'

const ROLES = ['anon', 'authenticated', 'service_role'] as const
const SQL = `-- who may see what
select p.name, count(*) filter (where a.status = 'done') as done
from patients p
join appointments a on a.patient_id = p.id
where p.clinic_id = 42 and p.is_active
group by p.name;`

export function KitFields(): ReactElement {
  const [text, setText] = useState('')
  const [role, setRole] = useState<(typeof ROLES)[number]>('anon')
  const [isOn, setOn] = useState(true)
  const [sql, setSql] = useState(SQL)
  return (
    <Splitter
      label="Resize the fields"
      initial={420}
      name="kit"
      first={
        <div className="flex flex-col gap-6 overflow-auto p-4">
          <Section title="Text">
            <TextField label="Name" value={text} onChange={setText} hint="As people know it." />
            <TextField
              label="Slug"
              value={text}
              onChange={setText}
              error="Only a to z, digits and hyphens."
              isMono
            />
            <TextField label="Note" value={text} onChange={setText} lines={3} />
            <SearchField label="Filter" value={text} onChange={setText} />
          </Section>
          <Section title="Choices">
            <div className="flex items-center gap-2">
              <Select
                label="Role"
                hasPrefix
                value={role}
                onChange={setRole}
                options={ROLES.map((value) => ({ value, label: value }))}
              />
              <Combobox
                label="Role, searched"
                className="w-44"
                value={role}
                onChange={setRole}
                options={ROLES.map((value) => ({ value, label: value, group: 'Roles' }))}
              />
            </div>
            <div className="flex gap-4">
              <Checkbox label="Checked" isChecked={isOn} onChange={setOn} />
              <Checkbox label="Some" isChecked={false} isPartial onChange={() => setOn(!isOn)} />
              <Switch label="Live" isChecked={isOn} onChange={setOn} />
            </div>
          </Section>
        </div>
      }
      second={
        <CodeEditor
          label="SQL"
          language="sql"
          value={sql}
          onChange={setSql}
          schema={{ patients: ['id', 'name', 'clinic_id'], appointments: ['id', 'patient_id'] }}
        />
      }
    />
  )
}
