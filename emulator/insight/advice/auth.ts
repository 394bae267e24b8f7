// Refusals of end-user authentication, one entry per code (docs/wire/auth.md#errors).
import type { AuthErrorCode } from '../../services/auth/errors.ts'
import { type Advice, advice, DISK_ADVICE, internalFailure, UNAVAILABLE } from './advice.ts'

export const AUTH_ADVICE: Readonly<Record<AuthErrorCode, Advice>> = {
  invalid_request: advice(
    'request',
    'A field of the body or query is missing or invalid, or the request names no project.',
    'Correct the fields listed in details. Name the project in X-SuperDB-Project or apikey.',
  ),
  invalid_json: advice(
    'request',
    'The body is not valid JSON.',
    'Send JSON with content-type application/json.',
  ),
  project_conflict: advice(
    'project',
    'X-SuperDB-Project and apikey name different projects.',
    'Send only one of them, or send both for the same project.',
  ),
  weak_password: advice(
    'request',
    'The password is too short or too common.',
    'Choose a longer password.',
  ),
  invalid_otp: advice(
    'claims',
    'The code is wrong, older than 10 minutes, already used, or locked after five wrong attempts.',
    'Use the newest code in the mailbox with exactly the same address, or request a new code.',
  ),
  invalid_code: advice(
    'claims',
    'The code or token of the link is unknown, expired or already used.',
    'Start the sign-in again. A code works once, within 5 minutes.',
  ),
  invalid_pkce: advice(
    'request',
    'The code challenge is not a base64url SHA-256 hash, or its method is not S256.',
    'Send 43 to 128 characters and code_challenge_method=S256.',
  ),
  pkce_mismatch: advice(
    'claims',
    'The code verifier does not match the challenge. The code cannot be used again.',
    'Store the verifier where the page that finishes the sign-in can read it, then start again.',
  ),
  invalid_redirect: advice(
    'request',
    'The redirect address is not on the project’s list of allowed redirects.',
    'Add exactly this address to the allowed redirects in the project’s auth settings.',
  ),
  email_change_unsupported: advice(
    'request',
    'The platform does not support changing a user’s e-mail address.',
    'Create a new account with the other address.',
  ),
  current_password_required: advice(
    'claims',
    'The user has a password, so setting a new password requires the current password.',
    'Send current_password.',
  ),
  whatsapp_not_configured: advice(
    'project',
    'WhatsApp is disabled in this project.',
    'Enable the channel in the project’s auth settings, or send the code by e-mail.',
  ),
  sms_not_configured: advice(
    'project',
    'SMS is disabled in this project.',
    'Enable the channel in the project’s auth settings, or send the code by e-mail.',
  ),
  oauth_not_enabled: advice(
    'project',
    'This social provider is disabled in the project.',
    'Enable the provider in the project’s auth settings.',
  ),
  oauth_state_invalid: advice(
    'claims',
    'The social sign-in took too long, or was started at another emulator.',
    'Start the sign-in again at /auth/v1/authorize.',
  ),
  oauth_state_unbound: advice(
    'claims',
    'The social sign-in was started in another browser.',
    'Start and finish the sign-in in the same browser, with cookies enabled.',
  ),
  factor_not_found: advice(
    'claims',
    'The user has no second factor with this id.',
    'List the user’s factors with GET /auth/v1/mfa.',
  ),
  invalid_credentials: advice(
    'claims',
    'The project has no user with this address and password.',
    'Check the project first, then the address, then the password.',
  ),
  unauthorized: advice(
    'credential',
    'The token or key is missing, expired, signed out or of the wrong kind.',
    'Send the session’s access_token. If the token has expired, refresh the session or sign in again.',
  ),
  signup_disabled: advice(
    'project',
    'Sign-up is disabled in this project.',
    'Enable sign-up in the project’s auth settings, or create the user in the inspector.',
  ),
  user_banned: advice(
    'claims',
    'The user is banned from this project.',
    'Remove the ban in the inspector, under Users.',
  ),
  email_not_confirmed: advice(
    'claims',
    'The project requires confirmed e-mail addresses, and this address is not confirmed.',
    'Open the confirmation link in the mailbox.',
  ),
  insufficient_aal: advice(
    'claims',
    'The request needs a session with a verified second factor.',
    'Verify a factor with POST /auth/v1/mfa/verify first.',
  ),
  not_found: advice(
    'request',
    'The route or the project does not exist.',
    'Check the path. X-SuperDB-Project takes the project’s slug, without the prefix proj_.',
  ),
  method_not_allowed: advice(
    'request',
    'The route does not support this method.',
    'Use a method that the header Allow lists.',
  ),
  email_taken: advice(
    'row',
    'The project already has a user with this address.',
    'Sign in instead, or delete the user in the inspector.',
  ),
  payload_too_large: advice(
    'request',
    'The body is too large.',
    'Send less data. Every token contains the user metadata.',
  ),
  too_many_attempts: advice(
    'quota',
    'There were too many wrong codes, or too many codes were sent to one address.',
    'Request a new code, or wait. You can move the platform clock forward.',
  ),
  internal: internalFailure('Authentication'),
  unavailable: UNAVAILABLE,
  whatsapp_send_failed: advice(
    'fault',
    'The project’s auth settings make every WhatsApp message fail.',
    'Change the setting in the project’s auth settings.',
  ),
  ...DISK_ADVICE,
}
