// Refusals of end-user authentication, one entry per code (docs/wire/auth.md#errors).
import type { AuthErrorCode } from '../auth/errors.ts'
import { type Advice, advice, DISK_ADVICE } from './advice.ts'

export const AUTH_ADVICE: Readonly<Record<AuthErrorCode, Advice>> = {
  invalid_request: advice(
    'request',
    'The body or query lacks something or has it in a wrong form; or no project is named.',
    'details names the fields; the project comes from X-SuperDB-Project or apikey.',
  ),
  invalid_json: advice(
    'request',
    'The body is no JSON.',
    'Send JSON with content-type application/json.',
  ),
  project_conflict: advice(
    'project',
    'X-SuperDB-Project and apikey name different projects.',
    'Send one of them, or both of the same project.',
  ),
  weak_password: advice(
    'request',
    'The password is too short or too common.',
    'Choose a longer one.',
  ),
  invalid_otp: advice(
    'claims',
    'The code is wrong, ten minutes old, spent, or five wrong tries have spoilt it.',
    'Read the newest one in the mailbox, with the same address in the same form; else send a new one.',
  ),
  invalid_code: advice(
    'claims',
    'The code or token of the link is unknown, late or spent.',
    'Start over: codes are good once and for five minutes.',
  ),
  invalid_pkce: advice(
    'request',
    'The code challenge is no base64url SHA-256, or its method is not S256.',
    'Send 43 to 128 characters and code_challenge_method=S256.',
  ),
  pkce_mismatch: advice(
    'claims',
    'The verifier does not belong to the challenge; the code is burnt.',
    'Keep the verifier where the same page finds it again, and start over.',
  ),
  invalid_redirect: advice(
    'request',
    'The address to return to is not on the project’s list.',
    'Add exactly this address to the allowed redirects of the project’s auth settings.',
  ),
  email_change_unsupported: advice(
    'request',
    'An e-mail address cannot be changed here.',
    'Make a new account with the other address.',
  ),
  current_password_required: advice(
    'claims',
    'Whoever has a password must give it to set another.',
    'Send current_password.',
  ),
  whatsapp_not_configured: advice(
    'project',
    'WhatsApp is off in this project.',
    'Turn it on in the project’s auth settings, or send by e-mail.',
  ),
  sms_not_configured: advice(
    'project',
    'SMS is off in this project.',
    'Turn it on in the project’s auth settings, or send by e-mail.',
  ),
  oauth_not_enabled: advice(
    'project',
    'This social provider is off in the project.',
    'Turn it on in the project’s auth settings.',
  ),
  oauth_state_invalid: advice(
    'claims',
    'The sign-in at the provider was begun too long ago, or not here.',
    'Start over at /auth/v1/authorize.',
  ),
  oauth_state_unbound: advice(
    'claims',
    'The sign-in comes back in another browser than it was begun in.',
    'Start over in one browser, with cookies allowed.',
  ),
  factor_not_found: advice(
    'claims',
    'The user has no such second factor.',
    'List the factors with GET /auth/v1/mfa.',
  ),
  invalid_credentials: advice(
    'claims',
    'There is no such user with this password in this project.',
    'Check the project, then the address, then the password.',
  ),
  unauthorized: advice(
    'credential',
    'The token or key is missing, late, ended or of the wrong kind.',
    'Auth routes take the session’s access_token; refresh it or sign in again.',
  ),
  signup_disabled: advice(
    'project',
    'The project takes no new users.',
    'Turn sign-up on in the project’s auth settings, or make the user in the inspector.',
  ),
  user_banned: advice(
    'claims',
    'The user is banned.',
    'Lift the ban in the inspector, under Users.',
  ),
  email_not_confirmed: advice(
    'claims',
    'The project wants confirmed addresses, and this one is not.',
    'Open the link of the confirmation in the mailbox.',
  ),
  insufficient_aal: advice(
    'claims',
    'The session lacks the second factor.',
    'Verify a factor with POST /auth/v1/mfa/verify first.',
  ),
  not_found: advice(
    'request',
    'There is no such route, or no such project.',
    'X-SuperDB-Project takes a slug, without proj_.',
  ),
  method_not_allowed: advice(
    'request',
    'The route has another method.',
    'The header Allow names it.',
  ),
  email_taken: advice(
    'row',
    'The project has a user with this address already.',
    'Sign in instead, or delete the user in the inspector.',
  ),
  payload_too_large: advice(
    'request',
    'The body is too large.',
    'Send less; metadata travel in every token.',
  ),
  too_many_attempts: advice(
    'quota',
    'Too many wrong tries in a short time.',
    'Wait, or move the platform’s clock forward.',
  ),
  internal: advice(
    'fault',
    'The emulator failed.',
    'The terminal has the cause under the request’s id.',
  ),
  unavailable: advice(
    'fault',
    'The database was busy with other work, or was starting again.',
    'Repeat the request after the seconds that Retry-After names.',
  ),
  whatsapp_send_failed: advice(
    'fault',
    'Sending by WhatsApp fails, as the project’s settings ask.',
    'Change it in the project’s auth settings.',
  ),
  ...DISK_ADVICE,
}
