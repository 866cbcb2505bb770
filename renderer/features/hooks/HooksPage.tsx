export function HooksPage() {
  return <h1 className="p-4 text-title">Hooks</h1>;
}
