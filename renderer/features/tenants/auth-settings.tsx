// Shows the sign-in settings of a project, and simulated failures of its message channels. A change of a setting
// applies at once. The user can reset a changed setting to the template's value.
import { useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type {
  AuthSettingsChange,
  AuthSettingsState,
  AuthSettingsWire,
} from '../../../emulator/contract/auth-settings.ts'
import { changeAuthSettings, useAuthSettings } from '../../api/project-settings.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox, Switch } from '../../ui/checkbox.tsx'
import { useAction } from '../../ui/form-action.ts'
import { membersOf, optionsOf } from '../../ui/form-values.ts'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PROVIDERS, SETTINGS, SMS, WHATSAPP } from './texts.ts'

type SettingName = keyof AuthSettingsWire

interface ControlProps<Value> {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
}

const CONTROLS: {
  readonly [Name in SettingName]: (props: ControlProps<AuthSettingsWire[Name]>) => ReactElement
} = {
  confirm_email: OnOff,
  signup_closed: OnOff,
  password_min_length: PasswordLength,
  providers: Providers,
  whatsapp: (props) => <Select {...props} options={optionsOf(WHATSAPP)} />,
  sms: (props) => <Select {...props} options={optionsOf(SMS)} />,
  redirect_urls: RedirectUrls,
}

export function AuthSettings({ project }: { readonly project: string }): ReactElement {
  const queries = useQueryClient()
  const change = useAction({
    work: (settings: AuthSettingsChange) => changeAuthSettings(project, settings),
    onDone: (state) => queries.setQueryData(['settings', project, 'auth'], state),
    failure: 'Could not change the setting',
  })
  return (
    <Loaded query={useAuthSettings(project)} what="auth settings">
      {(state) => (
        <ul aria-label="Auth settings" className="rounded-2 border bg-surface-0">
          {membersOf(SETTINGS).map((name) => (
            <Setting key={name} name={name} state={state} onChange={change.mutate} />
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function Setting<Name extends SettingName>({
  name,
  state: { settings, own },
  onChange,
}: {
  readonly name: Name
  readonly state: AuthSettingsState
  readonly onChange: (change: AuthSettingsChange) => void
}): ReactElement {
  const { title, detail } = SETTINGS[name]
  const Control: (props: ControlProps<AuthSettingsWire[Name]>) => ReactElement = CONTROLS[name]
  const value = settings[name]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b p-3 last:border-b-0">
      <div className="min-w-40 flex-1">
        <p>{title}</p>
        <p className="text-small text-ink-dim">{detail}</p>
      </div>
      <Control
        key={String(value)}
        label={title}
        value={value}
        onChange={(next) => onChange({ [name]: next })}
      />
      {own.includes(name) ? (
        <IconButton
          size="small"
          label={`Reset ${title} to the template`}
          icon={<Undo2 />}
          onClick={() => onChange({ [name]: null })}
        />
      ) : (
        <span className="w-6" />
      )}
    </li>
  )
}

function OnOff({ label, value, onChange }: ControlProps<boolean>): ReactElement {
  return <Switch label={label} isLabelHidden isChecked={value} onChange={onChange} />
}

function Providers({ value, onChange }: ControlProps<AuthSettingsWire['providers']>): ReactElement {
  const all = membersOf(PROVIDERS)
  return (
    <span className="flex flex-wrap justify-end gap-3">
      {all.map((name) => (
        <Checkbox
          key={name}
          label={PROVIDERS[name]}
          isChecked={value.includes(name)}
          onChange={(isOn) =>
            onChange(all.filter((one) => (one === name ? isOn : value.includes(one))))
          }
        />
      ))}
    </span>
  )
}

function PasswordLength({ label, value, onChange }: ControlProps<number>): ReactElement {
  const [text, setText] = useState(String(value))
  const next = Number(text)
  const isChanged = text.trim() !== '' && Number.isInteger(next) && next !== value
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) onChange(next)
      }}
    >
      <div className="w-20">
        <TextField label={label} isLabelHidden kind="number" value={text} onChange={setText} />
      </div>
      {isChanged && <Button type="submit">Save length</Button>}
    </form>
  )
}

function RedirectUrls({ label, value, onChange }: ControlProps<readonly string[]>): ReactElement {
  const [text, setText] = useState(value.join('\n'))
  const lines = text.split('\n').map((line) => line.trim())
  const next = lines.filter((line) => line !== '')
  return (
    <form
      className="flex w-full flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(next)
      }}
    >
      <TextField
        label={label}
        isLabelHidden
        isMono
        lines={3}
        placeholder="https://app.example.com/welcome"
        value={text}
        onChange={setText}
      />
      {next.join('\n') !== value.join('\n') && (
        <Button type="submit" className="self-end">
          Save redirect URLs
        </Button>
      )}
    </form>
  )
}
