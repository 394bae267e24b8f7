// Operations of end-user authentication with the codes each documents (docs/wire/auth.md#errors).
import { type FaultOperation, rowsOf } from './fault-operation.ts'

const row = rowsOf({
  service: 'auth',
  door: 'auth',
  dialect: 'auth',
  always: [
    'invalid_request',
    'project_conflict',
    'unauthorized',
    'not_found',
    'method_not_allowed',
    'internal',
    'unavailable',
    'disk_full',
    'disk_failed',
  ],
})
const BODY = ['invalid_json', 'payload_too_large']
const NEW_USER = ['signup_disabled', 'user_banned']

export const AUTH_OPERATIONS: readonly FaultOperation[] = [
  row('signup', 'POST /auth/v1/signup', 'Signs up with a password', [
    'email_taken',
    'weak_password',
    'signup_disabled',
    'invalid_redirect',
    ...BODY,
  ]),
  row('signin.password', 'POST /auth/v1/signin', 'Signs in with a password', [
    'invalid_credentials',
    'email_not_confirmed',
    'user_banned',
    ...BODY,
  ]),
  row('signin.magic_link', 'POST /auth/v1/signin/magic-link', 'Sends a link to sign in', [
    'invalid_redirect',
    ...BODY,
  ]),
  row('otp.send', 'POST /auth/v1/otp/send', 'Sends a one-time code', [
    'whatsapp_send_failed',
    'whatsapp_not_configured',
    'sms_not_configured',
    'too_many_attempts',
    ...BODY,
  ]),
  row('otp.verify', 'POST /auth/v1/otp/verify', 'Signs in with a one-time code', [
    'invalid_otp',
    'too_many_attempts',
    ...NEW_USER,
    ...BODY,
  ]),
  row('email.confirm', 'GET,HEAD /auth/v1/verify', 'Opens a link of a message', ['invalid_otp']),
  row('session.refresh', 'POST /auth/v1/token/refresh', 'Renews a session', [
    'user_banned',
    ...BODY,
  ]),
  row('session.signout', 'POST /auth/v1/signout', 'Signs out', BODY),
  row('oauth.authorize', 'GET,HEAD /auth/v1/authorize/:provider', 'Begins a social login', [
    'oauth_not_enabled',
    'invalid_pkce',
    'invalid_redirect',
  ]),
  row('oauth.consent', 'GET,HEAD,POST /auth/v1/consent/:provider', 'Asks the social user', [
    'oauth_state_invalid',
    'oauth_state_unbound',
    ...BODY,
  ]),
  row('oauth.callback', 'GET,HEAD /auth/v1/callback/:provider', 'Ends a social login', [
    'oauth_not_enabled',
    'oauth_state_invalid',
    'oauth_state_unbound',
    'invalid_code',
  ]),
  row('oauth.exchange', 'POST /auth/v1/token/exchange', 'Exchanges a code for a session', [
    'invalid_code',
    'pkce_mismatch',
    'email_taken',
    ...NEW_USER,
    ...BODY,
  ]),
  row('user.read', 'GET,HEAD /auth/v1/user', 'Reads the user'),
  row('user.update', 'PATCH /auth/v1/user', 'Changes the user', [
    'email_change_unsupported',
    ...BODY,
  ]),
  row('user.delete', 'DELETE /auth/v1/user', 'Deletes the user', ['insufficient_aal']),
  row('user.password', 'PUT /auth/v1/user/password', 'Sets the password', [
    'current_password_required',
    'invalid_credentials',
    'weak_password',
    'insufficient_aal',
    ...BODY,
  ]),
  row('password.forgot', 'POST /auth/v1/password/forgot', 'Sends a link to reset the password', [
    'invalid_redirect',
    ...BODY,
  ]),
  row('password.reset', 'POST /auth/v1/password/reset', 'Resets the password', [
    'invalid_code',
    'weak_password',
    ...BODY,
  ]),
  row('mfa.list', 'GET,HEAD /auth/v1/mfa', 'Lists second factors'),
  row('mfa.enroll', 'POST /auth/v1/mfa/enroll', 'Enrols a second factor', [
    'insufficient_aal',
    ...BODY,
  ]),
  row('mfa.verify', 'POST /auth/v1/mfa/verify', 'Proves a second factor', [
    'invalid_otp',
    'factor_not_found',
    'too_many_attempts',
    ...BODY,
  ]),
  row('mfa.remove', 'DELETE /auth/v1/mfa/:factor', 'Removes a second factor', [
    'factor_not_found',
    'insufficient_aal',
  ]),
]
