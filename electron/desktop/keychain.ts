import type { SafeStorage } from 'electron';
import type { CorePorts } from '../core/ports';
import type { Keychain } from '../core/sealedFile';

/** Linux's `basic_text` encrypts with a password that everybody knows, so it has no name here. */
function linuxKeychain(backend: string): string | undefined {
  return backend.startsWith('kwallet') ? 'KWallet' : backend === 'gnome_libsecret' ? 'the GNOME keyring' : undefined;
}

/** The system's keychain, or null where there is none that protects anything. Asked only after the app is ready. */
export function findKeychain(storage: SafeStorage, platform: CorePorts['host']['platform']): Keychain | null {
  if (!storage.isEncryptionAvailable()) return null;
  const linux = (): string | undefined => linuxKeychain(storage.getSelectedStorageBackend());
  const name =
    platform === 'darwin' ? 'the macOS keychain' : platform === 'win32' ? 'Windows data protection' : linux();
  if (name === undefined) return null;
  return { name, encrypt: (text) => storage.encryptString(text), decrypt: (sealed) => storage.decryptString(sealed) };
}
