export function ResultsPage() {
  return <h1 className="p-4 text-title">Results</h1>;
}
