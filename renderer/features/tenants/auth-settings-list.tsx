// Each setting on a line with its control; one that is the project's own can be given back to its template.
import type { ReactElement, ReactNode } from 'react'
import type {
  AuthSettingsChange,
  AuthSettingsState,
  AuthSettingsWire,
} from '../../../emulator/contract/auth-settings.ts'
import { Checkbox, Switch } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { SettingLine } from './auth-settings-line.tsx'
import { PasswordLength, RedirectUrls } from './auth-settings-texts.tsx'

export interface AuthSettingsListProps {
  readonly state: AuthSettingsState
  readonly onChange: (change: AuthSettingsChange) => void
}

const PROVIDERS = ['google', 'github', 'apple'] as const
const WORDS = {
  works: 'works',
  not_configured: 'is not configured',
  send_failed: 'fails to send',
} as const
const option = <Value extends keyof typeof WORDS>(value: Value) => ({ value, label: WORDS[value] })
const WHATSAPP = [option('works'), option('not_configured'), option('send_failed')]
const SMS = [option('works'), option('not_configured')]

export function AuthSettingsList({
  state: { settings, own },
  onChange,
}: AuthSettingsListProps): ReactElement {
  const line = (
    name: keyof AuthSettingsWire,
    title: string,
    explanation: string,
    control: ReactNode,
  ) => (
    <SettingLine
      title={title}
      explanation={explanation}
      onInherit={own.includes(name) ? () => onChange({ [name]: null }) : undefined}
    >
      {control}
    </SettingLine>
  )
  return (
    <ul aria-label="Auth settings" className="rounded-2 border bg-surface-0">
      {line(
        'confirm_email',
        'Confirm e-mail',
        'A sign-up gives no session before the address was confirmed.',
        <Switch
          label="Confirm e-mail"
          isLabelHidden
          isChecked={settings.confirm_email}
          onChange={(value) => onChange({ confirm_email: value })}
        />,
      )}
      {line(
        'signup_closed',
        'Sign-up closed',
        'Only existing users sign in.',
        <Switch
          label="Sign-up closed"
          isLabelHidden
          isChecked={settings.signup_closed}
          onChange={(value) => onChange({ signup_closed: value })}
        />,
      )}
      {line(
        'password_min_length',
        'Shortest password',
        'Characters.',
        <PasswordLength
          key={settings.password_min_length}
          value={settings.password_min_length}
          onChange={(value) => onChange({ password_min_length: value })}
        />,
      )}
      {line(
        'providers',
        'Social sign-in',
        'Providers that answer.',
        <span className="flex flex-wrap justify-end gap-3">
          {PROVIDERS.map((name) => (
            <Checkbox
              key={name}
              label={name}
              isChecked={settings.providers.includes(name)}
              onChange={(isOn) =>
                onChange({
                  providers: PROVIDERS.filter((one) =>
                    one === name ? isOn : settings.providers.includes(one),
                  ),
                })
              }
            />
          ))}
        </span>,
      )}
      {line(
        'whatsapp',
        'WhatsApp',
        'How sending codes goes.',
        <Select
          label="WhatsApp"
          value={settings.whatsapp}
          options={WHATSAPP}
          onChange={(value) => onChange({ whatsapp: value })}
        />,
      )}
      {line(
        'sms',
        'SMS',
        'How sending codes goes.',
        <Select
          label="SMS"
          value={settings.sms}
          options={SMS}
          onChange={(value) => onChange({ sms: value })}
        />,
      )}
      {line(
        'redirect_urls',
        'Addresses links may return to',
        'One a line, compared exactly; localhost is allowed beside them.',
        <RedirectUrls
          key={settings.redirect_urls.join('\n')}
          value={settings.redirect_urls}
          onChange={(value) => onChange({ redirect_urls: value })}
        />,
      )}
    </ul>
  )
}
