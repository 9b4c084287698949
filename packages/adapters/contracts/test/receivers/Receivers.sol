// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A contract that does whatever it is told, and has no opinion on money.
contract Actor {
    error ActFailed(bytes reason);

    function act(address target, uint256 value, bytes calldata data) external payable {
        (bool done, bytes memory reason) = target.call{value: value}(data);
        if (!done) revert ActFailed(reason);
    }

    function actTwice(address target, uint256 value, bytes calldata data) external payable {
        this.act{value: value}(target, value, data);
        this.act{value: value}(target, value, data);
    }
}

/// @notice Refuses all money until told otherwise.
contract RefusingReceiver is Actor {
    bool public willing;

    function relent() external {
        willing = true;
    }

    receive() external payable {
        require(willing);
    }
}

/// @notice Does honest work for its money, as a wallet does that keeps records.
contract WalletReceiver is Actor {
    uint256 public received;
    uint256 public payments;

    receive() external payable {
        received += msg.value;
        ++payments;
    }
}

/// @notice Takes money only with some gas, and refuses cheaply with less.
contract ChoosyReceiver is Actor {
    uint256 private immutable _least;

    constructor(uint256 least) {
        _least = least;
    }

    receive() external payable {
        require(gasleft() > _least);
    }
}

/// @notice Burns all the gas it is given.
contract HungryReceiver is Actor {
    uint256[] private _waste;

    receive() external payable {
        while (true) _waste.push(gasleft());
    }
}

/// @notice Fails with the longest answer its gas can buy.
contract BombingReceiver is Actor {
    receive() external payable {
        assembly {
            revert(0, 150000)
        }
    }
}

/// @notice Calls back into whoever pays it, and remembers the answer.
contract ReentrantReceiver is Actor {
    bytes private _plan;
    bool public entered;
    bytes4 public answer;

    function prepare(bytes calldata plan) external {
        _plan = plan;
    }

    receive() external payable {
        (bool done, bytes memory reason) = msg.sender.call(_plan);
        (entered, answer) = (done, bytes4(reason));
    }
}

/// @notice Confirms tokens with a given answer.
contract TokenReceiver is Actor {
    bytes4 private immutable _answer;
    bytes public data;

    constructor(bytes4 answer) {
        _answer = answer;
    }

    function onERC721Received(address, address, uint256, bytes calldata given) external returns (bytes4) {
        data = given;
        return _answer;
    }
}

/// @notice Refuses tokens for a reason.
contract RefusingTokenReceiver is Actor {
    error NoRoom(uint256 tokenId);

    function onERC721Received(address, address, uint256 tokenId, bytes calldata) external pure returns (bytes4) {
        revert NoRoom(tokenId);
    }
}
